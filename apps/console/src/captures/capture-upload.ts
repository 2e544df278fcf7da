import type { Capture } from '../api/answers.js';
import { addressWithQuery, ApiError, problemIn } from '../api/api.js';
import type { Session } from '../web-interface/index.js';
import { texts } from '../texts/captures.js';

export interface CaptureUpload {
  readonly session: Pick<Session, 'authorization' | 'refused'>;
  readonly file: File;
  /** Empty for the default of the server. */
  readonly frontEnd: string;
  /** Of the bytes that were sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a capture. Rejects with an {@link ApiError}, or with the reason of the signal. By XMLHttpRequest, because `fetch`
 * does not report how much of a body was sent.
 */
export function uploadCapture({ session, file, frontEnd, onProgress, signal }: CaptureUpload): Promise<Capture> {
  const { authorization = '' } = session;
  const request = new XMLHttpRequest();
  const query = frontEnd === '' ? {} : { frontEnd };
  request.open('POST', addressWithQuery('/api/captures', query));
  request.setRequestHeader('authorization', authorization);
  request.setRequestHeader('content-type', 'application/octet-stream');
  const abort = (): void => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
  request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
  const answer = new Promise<Capture>((resolve, reject) => {
    request.addEventListener('abort', () => reject(abortReason(signal)));
    request.addEventListener('error', () => reject(new ApiError(0, 'unreachable', texts.connectionLost)));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      if (status === 401) session.refused(authorization);
      if (status === 202) resolve(captureIn(responseText));
      else reject(problemIn(status, responseText));
    });
  });
  request.send(file);
  return answer;
}

/** Of the shape that docs/openapi.yaml gives this path; server and console are of one version. */
function captureIn(json: string): Capture {
  const capture: Capture = JSON.parse(json);
  return capture;
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(texts.cancelled);
}
