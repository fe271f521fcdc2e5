// The driver's calls on streams and events.

#include "objects.h"

EXPORT CUresult cuStreamCreate(void **handle, unsigned flags) {
    ENTER();
    if (flags > 1) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *handle = streams().add(Stream::start(current));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamDestroy_v2(void *handle) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(handle, __func__);
    if (stream == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    streams().remove(handle, __func__);
    stream->close();
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(void *handle) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(handle, __func__);
    if (stream == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    stream->drain();
    return static_cast<CUresult>(current->lost.load());
}

EXPORT CUresult cuStreamQuery(void *handle) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(handle, __func__);
    if (stream == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    return stream->is_idle() ? static_cast<CUresult>(current->lost.load()) : CUDA_ERROR_NOT_READY;
}

EXPORT CUresult cuStreamWaitEvent(void *handle, void *event_handle, unsigned flags) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(handle, __func__);
    const std::shared_ptr<Event> event = events().get(event_handle, __func__);
    if (stream == nullptr || event == nullptr || flags != 0) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    // An event that was never recorded holds nobody up.
    if (const std::shared_ptr<Mark> mark = event->last()) {
        stream->put([mark] { mark->wait(); });
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventCreate(void **handle, unsigned flags) {
    ENTER();
    if (flags > 3) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    auto event = std::make_shared<Event>();
    event->context = current;
    *handle = events().add(std::move(event));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy_v2(void *handle) {
    ENTER();
    return events().remove(handle, __func__) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(void *handle, void *on) {
    ENTER();
    const std::shared_ptr<Event> event = events().get(handle, __func__);
    const std::shared_ptr<Stream> stream = stream_of(on, __func__);
    if (event == nullptr || stream == nullptr || event->context != stream->context) {
        return violation(CUDA_ERROR_INVALID_HANDLE, "%s: event and stream are not of one context", __func__);
    }
    auto mark = std::make_shared<Mark>();
    // Marks are passed even when the work is dropped: nobody is to wait for ever.
    std::lock_guard<std::mutex> lock(event->mutex);
    event->mark = mark;
    stream->put([mark] { mark->pass(); }, true);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventQuery(void *handle) {
    ENTER();
    const std::shared_ptr<Event> event = events().get(handle, __func__);
    if (event == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    const std::shared_ptr<Mark> mark = event->last();
    return mark == nullptr || mark->is_passed() ? static_cast<CUresult>(current->lost.load()) : CUDA_ERROR_NOT_READY;
}

EXPORT CUresult cuEventSynchronize(void *handle) {
    ENTER();
    const std::shared_ptr<Event> event = events().get(handle, __func__);
    if (event == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (const std::shared_ptr<Mark> mark = event->last()) {
        mark->wait();
    }
    return static_cast<CUresult>(current->lost.load());
}
