import type { ProblemCounts, Suspect } from '../../api/answers.js';
import { countedWords, namedWords, overallWords, suspectDetails, suspectSentence } from './suspect-words.js';

const SONORA: Suspect = {
  problem: 'bad',
  dimension: 'device',
  value: 'sonora 210 usb',
  calls: 1_170,
  bad: 570,
  share: 0.487,
  low: 0.459,
  high: 0.516,
  elsewhere: 0.03,
  excess: 0.457,
  evidence: 700,
  onePerson: false,
  causes: [
    { cause: 'PacketLossRate', calls: 150 },
    { cause: 'oneWay', calls: 50 },
  ],
  same: [],
  explains: [],
  hours: [
    { at: '2026-11-21T10:00:00.000Z', calls: 600, bad: 370 },
    { at: '2026-11-21T11:00:00.000Z', calls: 570, bad: 200 },
  ],
  search: {},
};

const QUIET: ProblemCounts = { finished: 1_000, failed: 10, judged: 900, bad: 27, audioKnown: 900, noAudio: 0 };

describe('the words for a suspect', () => {
  it.each<[Partial<Suspect>, string]>([
    [{}, 'sonora 210 usb: 570 of 1,170 calls bad, others 3\u00A0%'],
    [{ problem: 'noAudio' }, 'sonora 210 usb: 570 of 1,170 calls without audio, others 3\u00A0%'],
    [
      { problem: 'failed', dimension: 'trunk', value: 'nordtel' },
      'nordtel: 570 of 1,170 calls failed, others 3\u00A0%',
    ],
    [
      { problem: 'failed', dimension: 'hop', value: '10.0.0.9' },
      '10.0.0.9: refused 570 of 1,170 calls, others 3\u00A0%',
    ],
    [{ value: 'abc\u202Edef' }, 'abc\uFFFDdef: 570 of 1,170 calls bad, others 3\u00A0%'],
  ])('say of %j: %s', (change, sentence) => {
    expect(suspectSentence({ ...SONORA, ...change })).toBe(sentence);
  });

  it('tell the interval, the causes, and when most of it was', () => {
    expect(suspectDetails(SONORA, 3_600)).toEqual([
      '48.7\u00A0%, with 95 % certainty between 45.9\u00A0% and 51.6\u00A0%.',
      'Causes: Packet loss (150), one-way audio (50).',
      expect.stringMatching(/^Most in .+: 370 of 600\.$/),
    ]);
  });

  it('leave out what is not known, and the time if there is only one', () => {
    const short = { ...SONORA, causes: [], hours: SONORA.hours.slice(1) };
    expect(suspectDetails(short, 3_600)).toHaveLength(1);
  });

  it('name the dimension of what is explained', () => {
    expect(namedWords({ dimension: 'site', value: 'Oslo' })).toBe('Site Oslo');
    expect(countedWords({ dimension: 'site', value: 'Oslo', problem: 'failed', calls: 30, bad: 9 })).toBe(
      'Site Oslo (9 of 30 calls failed)',
    );
  });
});

describe('the words for all calls', () => {
  it('compare with the seven days before', () => {
    expect(overallWords({ sampled: null, overall: QUIET, usual: QUIET })).toEqual([
      'All calls: 3\u00A0% bad, 1\u00A0% failed, 0\u00A0% without audio.',
      'In the seven days before: 3\u00A0% bad, 1\u00A0% failed, 0\u00A0% without audio.',
    ]);
  });

  it('say that all are worse only beyond chance and usual differences', () => {
    const isSaid = (bad: number): boolean =>
      overallWords({ sampled: null, overall: { ...QUIET, bad }, usual: QUIET })
        .join(' ')
        .includes('worse than');
    expect([27, 60, 160].map(isSaid)).toEqual([false, false, true]);
  });

  it('say which share was counted, and leave out what is not known', () => {
    const none: ProblemCounts = { finished: 0, failed: 0, judged: 0, bad: 0, audioKnown: 0, noAudio: 0 };
    expect(overallWords({ sampled: 0.125, overall: none, usual: null })).toEqual([
      'There are many calls, so one of 8 was counted: the numbers are of these, the links open all.',
      'All calls: – bad, – failed, – without audio.',
    ]);
  });
});
