/* refused.cu - what is not offered says so: the right error, and its name once. */
#include "check.h"

int main()
{
    cudaExternalMemory_t memory = NULL;
    cudaExternalSemaphore_t semaphore = NULL;
    cudaStream_t s;
    cudaStreamCaptureStatus status;
    int can = -1;

    GOOD(cudaStreamCreate(&s));
    GIVES(cudaErrorNotSupported, cudaDestroyExternalMemory(memory));
    GIVES(cudaErrorNotSupported, cudaDestroyExternalMemory(memory));
    GIVES(cudaErrorNotSupported, cudaGetLastError());
    GIVES(cudaErrorNotSupported, cudaDestroyExternalSemaphore(semaphore));
    GIVES(cudaErrorNotSupported, cudaGraphicsUnregisterResource(NULL));
    (void)cudaGetLastError();
    GOOD(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    GOOD(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK(can == 0);
    GIVES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 1));
    GIVES(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
    GIVES(cudaErrorInvalidValue, cudaDeviceEnablePeerAccess(0, 1));
    GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    GIVES(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
    GIVES(cudaErrorInvalidDevice,
          cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 0));
    printf("refused: %s\n", cudaGetErrorString(cudaErrorNotSupported));
    return 0;
}
