import { GenerateProgress } from './generate/generate-progress.js';
import { ProgressLine } from '@ringdown/feed-client/command';
import { ReplayProgress } from './replay/replay-progress.js';

describe('progress', () => {
  let written: string[];
  let now: number;

  function line(isTTY: boolean): ProgressLine {
    return new ProgressLine({ isTTY, write: (text) => written.push(text) }, () => now);
  }

  beforeEach(() => {
    written = [];
    now = 0;
  });

  it('is one line that is rewritten on a terminal and erased at the end', () => {
    const progress = new ReplayProgress(line(true));
    progress.total = 1_000;
    progress.played(0, 1);
    now = 2_000;
    progress.bytes = 255;
    progress.played(Date.UTC(2026, 0, 31, 12), 9);
    progress.ended();
    expect(written).toEqual([
      '\r[#####...............] 25 %, at 2026-01-31T12:00:00Z, 10 records, 5 records/s \u001B[K',
      '\r\u001B[K',
    ]);
  });

  it('is a line every ten seconds elsewhere', () => {
    const progress = new GenerateProgress(line(false), 100);
    const record = { connection: { callId: 'c', frontEnds: [] }, events: [] };
    const scripted = { at: 1_500, frontEnd: 'fe1', record };
    progress.started({ startsAt: 1_000, calls: 50, records: [scripted, { ...scripted, at: 2_000 }] });
    for (now of [5_000, 10_000, 15_000]) progress.sent(scripted);
    progress.ended();
    expect(written).toEqual(['[#####...............] 25/100 calls, 0 records/s\n']);
  });

  it('is not written without a line', () => {
    const progress = new ReplayProgress();
    progress.played(0, 1);
    progress.ended();
    expect(written).toEqual([]);
  });
});
