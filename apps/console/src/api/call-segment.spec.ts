import { callIdOfSegment, callSegment } from './call-segment.js';

describe('the segment of a path for a CallId', () => {
  it.each([
    ['a1@host', 'a1%40host'],
    ['.', '%252e'],
    ['..', '%252e%252e'],
    ['...', '...'],
    ['stream', '%2573tream'],
    ['STReam', '%2553TReam'],
    ['%2e', '%25252e'],
    ['%2E%2e', '%25252E%25252e'],
    ['%73tream', '%252573tream'],
    ['%53TREAM', '%252553TREAM'],
    ['streams', 'streams'],
    ['%2f', '%252f'],
  ])('is encoded for %j so that neither clients nor routes change it', (callId, segment) => {
    expect(callSegment(callId)).toBe(segment);
    expect(callIdOfSegment(segment)).toBe(callId);
  });
});
