# with-driver.sh BUILD COMMAND...: runs a command with the fake CUDA driver of test/support/fake_cuda/, which runs nothing.
export GPUEXEC_DEVICE=${DEVICE:-auto} LD_LIBRARY_PATH=$1/test/fake-cuda
shift
exec "$@"
