import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import type { StoredMessage } from './call-message.js';
import { mergeCaptures } from './merge-captures.js';

const A = { ip: '192.0.2.1', port: 5060 };
const B = { ip: '192.0.2.2', port: 5060 };

function capture(text: string, at: number, point = '', more: Partial<StoredMessage> = {}): StoredMessage {
  const base = { callId: 'c1', frontEnd: 'fe1', source: A, destination: B, content: 'sip' } as const;
  return { ...base, at, point, payload: Buffer.from(text), ...more };
}

function mergedTexts(captures: readonly StoredMessage[]): readonly string[] {
  return mergeCaptures(captures).map(({ payload, points }) => `${payload.toString()} ${points.length}`);
}

describe('mergeCaptures', () => {
  it('shows a message of several points once, with the points in the order of their times', () => {
    const [merged, ...others] = mergeCaptures([capture('INVITE', 20, 'b'), capture('INVITE', 10, 'a')]);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({
      at: 10,
      points: [
        { name: 'a', at: 10 },
        { name: 'b', at: 20 },
      ],
    });
  });

  it('shows a retransmission as a message of its own, and finds it at each point', () => {
    const twice = ['a', 'b'].flatMap((point, n) => [
      capture('INVITE', n, point),
      capture('INVITE', 500_000 + n, point),
    ]);
    expect(mergedTexts(twice)).toEqual(['INVITE 2', 'INVITE 2']);
  });

  it('joins the captures of points whose clocks differ by minutes', () => {
    expect(mergedTexts([capture('INVITE', 0, 'a'), capture('INVITE', 120_000_000, 'b')])).toEqual(['INVITE 2']);
  });

  it('keeps the same bytes apart when they were captured an hour apart', () => {
    const [hour, minute] = [3_600_000_000, 60_000_000];
    const captures = [capture('INVITE', 0, 'a'), capture('INVITE', hour, 'b'), capture('INVITE', hour + minute, 'a')];
    expect(mergedTexts(captures)).toEqual(['INVITE 1', 'INVITE 2']);
    expect(mergedTexts([...captures, capture('INVITE', 2 * hour, 'c')])).toEqual(['INVITE 1', 'INVITE 2', 'INVITE 1']);
  });

  it('shows every capture once, in a message whose captures are near each other and of different points', () => {
    const taken = record({ minute: integer({ min: 0, max: 40 }), point: constantFrom('a', 'b', 'c') });
    assert(
      property(array(taken, { maxLength: 20 }), (all) => {
        const captures = all.map(({ minute, point }) => capture('INVITE', minute * 60_000_000, point));
        const merged = mergeCaptures(captures);
        expect(merged.flatMap(({ points }) => points)).toHaveLength(captures.length);
        for (const { at, points } of merged) {
          expect(new Set(points.map(({ name }) => name)).size).toBe(points.length);
          expect(points.every((point) => point.at >= at && point.at - at <= 600_000_000)).toBe(true);
        }
      }),
    );
  });

  it('merges in linear time what repeats for days and is then captured by many points', () => {
    const [COUNT, apart] = [2_500, 601_000_000];
    const captures = [
      ...Array.from({ length: COUNT }, (_, n) => capture('INVITE', n * apart, 'a')),
      ...Array.from({ length: COUNT }, (_, n) => capture('INVITE', COUNT * apart, `point ${n}`)),
    ];
    const begun = process.cpuUsage();
    expect(mergeCaptures(captures)).toHaveLength(COUNT + 1);
    // A fraction of a second; where time grows with the square of the length, it is 20 seconds.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000);
  });

  it('keeps messages between other addresses, of other front ends and of other legs apart', () => {
    const back = { source: B, destination: A };
    expect(mergedTexts([capture('OK', 1), capture('OK', 2, '', back), capture('OK', 3, '', { callId: 'c2' })])).toEqual(
      ['OK 1', 'OK 1', 'OK 1'],
    );
    expect(mergedTexts([capture('OK', 1), capture('OK', 2, '', { frontEnd: 'fe2' })])).toEqual(['OK 2']);
  });

  it('gives a message the same id whatever else was captured later', () => {
    const first = capture('INVITE', 1, 'a');
    const [alone] = mergeCaptures([first]);
    const [joined] = mergeCaptures([capture('BYE', 9), capture('INVITE', 3, 'b'), first]);
    expect(joined?.id).toBe(alone?.id);
  });
});
