# An image with smec and a C++ compiler:  tar -xf smec-VERSION.tar.gz && docker build -t smec smec-VERSION
# A design of the current folder:          docker run --rm -v "$PWD:/work" smec run counter.sme --cycles 10
# In a project of your own, `FROM smec`. docs/install.md says more; `./sme package --check` runs what stands behind RUN here.

# What is needed to work on smec; .devcontainer/ is this stage.
FROM debian:12 AS tools
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        cmake ninja-build g++ antlr4 libantlr4-runtime-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev zlib1g-dev \
        liblz4-dev libxxhash-dev libmetis-dev ccache mold git python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

# Built of an archive of the sources, which has the libraries in it: dist/ has one after ./sme package.
FROM debian:12 AS build
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends cmake g++ ninja-build \
    && rm -rf /var/lib/apt/lists/*
COPY . /smec
WORKDIR /smec
RUN test -d libraries || { echo "this is no archive of the sources: ./sme package makes one" >&2; exit 1; }
RUN cmake --preset release -DSMEC_TESTS=OFF \
    && cmake --build build/release --target smec \
    && cmake --install build/release --prefix /opt/smec --strip

FROM debian:12
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        g++ ninja-build mold \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/smec /usr/local
WORKDIR /work
ENTRYPOINT ["smec"]
CMD ["--help"]
