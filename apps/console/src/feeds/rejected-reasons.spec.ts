import { rejectedReasons } from './rejected-reasons.js';

describe('the reasons of rejected records', () => {
  it('are counted, the most frequent first', () => {
    const codes = ['not-xml', 'unknown-root', 'unknown-root', 'bad-value'] as const;
    expect(rejectedReasons(codes.map((code) => ({ code })))).toEqual([
      { code: 'unknown-root', count: 2 },
      { code: 'bad-value', count: 1 },
      { code: 'not-xml', count: 1 },
    ]);
    expect(rejectedReasons([])).toEqual([]);
  });
});
