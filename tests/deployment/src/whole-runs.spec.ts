import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromScript, script } from './scripts.js';

describe('the last whole runs of the tests', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-runs-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are kept from one checkout to the next, and the row without a failure is counted', () => {
    const lines = fromScript(
      `import { describeWholeRuns, keepWholeRun } from '${script('test/whole-runs.mjs')}';
       const run = { at: '2026-11-29T04:05:06.000Z', commit: 'abcdef0123', seconds: 1508.4, passed: 10, failed: 0, again: [] };
       const file = ${JSON.stringify(join(folder, 'kept', 'runs.json'))};
       keepWholeRun(file, run);
       keepWholeRun(file, { ...run, failed: 1 });
       keepWholeRun(file, { ...run, commit: undefined, again: ['a.spec.js (integration)'] });
       const runs = keepWholeRun(file, run);
       console.log(JSON.stringify(describeWholeRuns(runs).split('\\n')));`,
    );
    expect(lines).toEqual([
      'whole runs on this machine:',
      '  2026-11-29 04:05  abcdef01  25 min 08 s  10 passed, 0 failed',
      '  2026-11-29 04:05  abcdef01  25 min 08 s  10 passed, 1 failed',
      '  2026-11-29 04:05  changed  25 min 08 s  10 passed, 0 failed, again: a.spec.js (integration)',
      '  2026-11-29 04:05  abcdef01  25 min 08 s  10 passed, 0 failed',
      '  the last 2 without a failure, 1 files were run again',
    ]);
  });

  it('are the last twenty', () => {
    const kept = fromScript(
      `import { keepWholeRun } from '${script('test/whole-runs.mjs')}';
       const file = ${JSON.stringify(join(folder, 'many.json'))};
       let runs;
       for (let seconds = 1; seconds <= 25; seconds++) runs = keepWholeRun(file, { at: '', seconds, again: [] });
       console.log(JSON.stringify(runs.map((run) => run.seconds)));`,
    );
    expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
  });
});
