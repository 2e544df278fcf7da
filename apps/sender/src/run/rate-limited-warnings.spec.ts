import { jest } from '@jest/globals';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { RateLimitedWarnings } from './rate-limited-warnings.js';

describe('RateLimitedWarnings', () => {
  it('logs the first warning of a kind at once, and one per interval with the number of warnings since', () => {
    let now = 0;
    const logger = quietLogger();
    const warn = jest.spyOn(logger, 'warn');
    const warnings = new RateLimitedWarnings(logger, 1_000, () => now);
    for (const detail of ['a', 'b', 'c']) warnings.warn('not HEP', detail);
    warnings.warn('not SIP', 'x');
    now = 1_000;
    warnings.warn('not HEP', 'd');
    expect(warn.mock.calls).toEqual([
      [{ detail: 'a', times: 1 }, 'not HEP'],
      [{ detail: 'x', times: 1 }, 'not SIP'],
      [{ detail: 'd', times: 3 }, 'not HEP'],
    ]);
  });
});
