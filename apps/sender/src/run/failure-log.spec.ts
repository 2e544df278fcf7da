import { jest } from '@jest/globals';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { FailureLog } from './failure-log.js';

describe('the log of failed requests', () => {
  const failure = { method: 'REGISTER', status: '403', peer: '192.0.2.10' };

  it('has one line for each interval with failures, the most frequent first', () => {
    const logger = quietLogger();
    const warn = jest.spyOn(logger, 'warn');
    const log = new FailureLog(logger, 300_000);
    log.sweep(0);
    log.add({ ...failure, status: '404' });
    for (let n = 0; n < 3; n++) log.add(failure);
    log.sweep(299_999);
    expect(warn).not.toHaveBeenCalled();
    log.sweep(300_000);
    log.sweep(600_000);
    const requests = [
      { ...failure, count: 3 },
      { ...failure, status: '404', count: 1 },
    ];
    expect(warn.mock.calls).toEqual([[{ total: 4, seconds: 300, requests }, 'SIP requests failed']]);
  });

  it('is empty with an interval of 0', () => {
    const logger = quietLogger();
    const warn = jest.spyOn(logger, 'warn');
    const log = new FailureLog(logger, 0);
    log.add(failure);
    log.sweep(0);
    log.sweep(1_000_000);
    expect(warn).not.toHaveBeenCalled();
  });
});
