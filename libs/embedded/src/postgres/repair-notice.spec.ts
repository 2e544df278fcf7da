import { createLogger } from '@ringdown/observability';
import { repairNotice } from './repair-notice.js';

describe('the notice of a server that repairs its files', () => {
  it('is one line, after longer than each start takes', () => {
    const lines: unknown[] = [];
    const logger = createLogger('test', { logLevel: 'fatal', logFormat: 'json' });
    logger.warn = (line: unknown) => void lines.push(line);
    let now = 5_000;
    const notice = repairNotice(logger, () => now);
    notice();
    now += 999;
    notice();
    expect(lines).toEqual([]);
    for (let calls = 0; calls < 100; calls++) {
      now += 1;
      notice();
    }
    expect(lines).toEqual(['the database repairs its files after a crash, which may take minutes; waiting for it']);
  });
});
