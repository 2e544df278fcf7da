/** A file begins like a packet capture but is not a valid one. The message is for a user. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}
