/** A CallId in a path. Browsers remove `.` and `..`, also when they are encoded: the server knows them encoded twice. */
export function callSegment(callId: string): string {
  return callId === '.' || callId === '..' ? callId.replaceAll('.', '%252e') : encodeURIComponent(callId);
}
