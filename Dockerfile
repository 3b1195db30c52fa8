# An image with smec and a C++ compiler:  docker build -t smec .
# A design of the current folder:          docker run --rm -v "$PWD:/work" smec run counter.sme --cycles 10
# In a project of your own, `FROM smec`. docs/install.md says more; `./sme package --check` runs what stands behind RUN here.

# What smec is built with; .devcontainer/ works in it.
FROM debian:12 AS tools
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        cmake ninja-build g++ antlr4 libantlr4-runtime-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev zlib1g-dev \
        liblz4-dev libxxhash-dev libmetis-dev ccache mold git python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

FROM tools AS build
COPY . /smec
WORKDIR /smec
RUN cmake --preset release -DSMEC_TESTS=OFF \
    && cmake --build build/release --target smec \
    && cmake --install build/release --prefix /opt/smec --strip

FROM debian:12
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        g++ ninja-build mold libantlr4-runtime4.9 libfmt9 liblz4-1 libmetis5 libxxhash0 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/smec /usr/local
WORKDIR /work
ENTRYPOINT ["smec"]
CMD ["--help"]
