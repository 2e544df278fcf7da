import { formatSummary, NOTHING_SENT } from '@ringdown/feed-client/command';
import { findingsText } from './findings-text.js';

const ANSWERED = { ...NOTHING_SENT, interrupted: false, seconds: 2 };

describe('the summary of what was replayed', () => {
  it.each([
    [1, '1 message of calls stored, 1 request outside of calls failed (1 REGISTER 403, x), 1 call not reported '],
    [3, '3 messages of calls stored, 3 requests outside of calls failed (3 REGISTER 403, x), 3 calls not reported '],
  ])('has them for %d findings', (count, text) => {
    const failedRequests = [{ method: 'REGISTER', status: '403', peer: 'x', count }];
    const messages = { stored: count, dropped: 0, refused: 0 };
    const found = { failedRequests, failedRequestsTotal: count, unreportedCalls: count };
    expect(formatSummary({ ...ANSWERED, messages }, findingsText(found))).toContain(text);
  });

  it('has what counts for no call, by reason', () => {
    const found = {
      uncountedReports: { 'unknown call': 2 },
      uncountedRtp: { 'unknown call': 50, 'single packets': 1 },
    };
    expect(formatSummary({ ...ANSWERED, ...found }, findingsText(found))).toContain(
      'quality reports that do not count: 2 unknown call, RTP packets that count for no call: 50 unknown call, 1 single packets',
    );
  });
});
