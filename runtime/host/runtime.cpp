// All of the runtime as a library; its parts come from sme_runtime.
