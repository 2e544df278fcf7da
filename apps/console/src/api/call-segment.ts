/** What the server decodes once more: see `call-id-parameter.ts` of the aggregator. */
const ENCODED_TWICE = /^(?:(?:%(?:25)*2e){1,2}|%(?:25)*[57]3tream)$/i;

/** A CallId in a path. Browsers remove `.` and `..`, also when they are encoded, and `stream`, in any case, is another resource. */
export function callSegment(callId: string): string {
  if (callId.toLowerCase() === 'stream') return `%25${callId.startsWith('s') ? '73' : '53'}${callId.slice(1)}`;
  if (callId === '.' || callId === '..') return callId.replaceAll('.', '%252e');
  const once = encodeURIComponent(callId);
  return ENCODED_TWICE.test(callId) ? encodeURIComponent(once) : once;
}

/** The CallId of such a segment, as the server reads it. Throws an URIError for a text that is not encoded. */
export function callIdOfSegment(segment: string): string {
  const callId = decodeURIComponent(segment);
  return ENCODED_TWICE.test(callId) ? decodeURIComponent(callId) : callId;
}
