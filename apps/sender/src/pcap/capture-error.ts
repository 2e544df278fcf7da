/** A file says that it is a capture of packets, and lies. The message is for a person. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}
