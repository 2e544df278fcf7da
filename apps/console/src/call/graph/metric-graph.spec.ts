import type { MetricPoint, MetricSeries, TimelineItem } from '../../api/answers.js';
import { graphMarks, mediumGraphs } from './metric-graph.js';

const anna = { uri: 'sip:anna@example.test' };
const ben = { uri: 'sip:ben@example.test' };
const START = Date.parse('2026-11-21T12:00:00.000Z');

function point(second: number, metrics: Readonly<Record<string, number | string>>, mos?: number): MetricPoint {
  return {
    at: new Date(START + second * 1000).toISOString(),
    final: false,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, { value }])),
    mos: mos === undefined ? {} : { computed: { value: mos, unit: 'mos' } },
  };
}

function series(from: typeof anna, to: typeof anna, ...points: readonly MetricPoint[]): MetricSeries {
  return { mediaType: 'audio', from, to, points };
}

const seconds = (times: readonly number[]): readonly number[] => times.map((time) => time - START / 1000);

describe('the graphs of a medium', () => {
  it('have both directions at the same times, that of the caller first, MOS on top', () => {
    const [medium, ...others] = mediumGraphs(
      [
        series(ben, anna, point(10, { RoundTrip: 50 }), point(30, { RoundTrip: 70 })),
        series(anna, ben, point(20, { RoundTrip: 60, PacketLossRate: 0.1 }, 3), point(40, { PacketLossRate: 0.2 }, 2)),
      ],
      anna,
    );
    expect(others).toEqual([]);
    expect(medium?.from).toBe(anna);
    expect(medium?.graphs.map(({ key }) => key)).toEqual(['mos', 'loss', 'roundTrip']);
    const roundTrip = medium?.graphs[2];
    expect(seconds(roundTrip?.times ?? [])).toEqual([10, 20, 30]);
    expect([roundTrip?.there, roundTrip?.back]).toEqual([
      [null, 60, null],
      [50, null, 70],
    ]);
    expect(medium?.graphs[0]).toMatchObject({ metric: 'ComputedMOS', there: [3, 2], unit: 'mos' });
  });

  it('show the loss of video before that of all packets, as statistics and searches do', () => {
    const losses = { PacketLossRate: 0.5, CapturedPacketLossRate: 0.4, VideoPacketLossRate: 0.1 };
    const [medium] = mediumGraphs([series(anna, ben, point(10, losses), point(20, losses))], anna);
    expect(medium?.graphs).toMatchObject([{ key: 'loss', metric: 'VideoPacketLossRate', there: [0.1, 0.1] }]);
  });

  it('are of reports during the call only, and not of a single one', () => {
    const final = { ...point(60, { RoundTrip: 1 }), final: true };
    expect(mediumGraphs([series(anna, ben, point(10, { RoundTrip: 1 }), final)], anna)).toEqual([]);
    expect(mediumGraphs([series(anna, ben, final, final)], anna)).toEqual([]);
    expect(mediumGraphs([], undefined)).toEqual([]);
  });

  it('leave out values that are not numbers', () => {
    const odd = [point(10, { RoundTrip: 'fast' }), point(20, { RoundTrip: Infinity }), point(30, { RoundTrip: 1 })];
    expect(mediumGraphs([series(anna, ben, ...odd)], anna)).toEqual([]);
  });
});

describe('the marks of a graph', () => {
  function item(second: number, kind: string, state: 'active' | 'held' | 'ended', isNew = false): TimelineItem {
    const at = new Date(START + second * 1000).toISOString();
    return {
      recordId: `${second}`,
      at,
      clock: 'frontEnd',
      receivedAt: at,
      remoteAddress: null,
      certificateSubject: null,
      feed: null,
      frontEnds: [],
      version: null,
      cseq: null,
      late: false,
      events: [{ kind }],
      cut: [],
      after: { state, endReason: null, verdict: 'unknown', cause: null, partial: false },
      changed: isNew ? ['state'] : [],
    };
  }
  const at = (second: number): number => START / 1000 + second;

  it('are holds, changes and the end', () => {
    const items = [
      item(0, 'start', 'active', true),
      item(10, 'update', 'held', true),
      item(15, 'inCallQuality', 'held'),
      item(20, 'update', 'active', true),
      item(30, 'update', 'active'),
      item(40, 'bye', 'ended', true),
    ];
    const endedAt = new Date(START + 40_000).toISOString();
    expect(graphMarks(items, { endedAt })).toEqual([
      { kind: 'hold', from: at(10), to: at(20) },
      { kind: 'change', from: at(30), to: at(30) },
      { kind: 'end', from: at(40), to: at(40) },
    ]);
  });

  it('have a hold that goes on, or that ends with the call', () => {
    const items = [item(0, 'start', 'active', true), item(10, 'update', 'held', true)];
    expect(graphMarks(items, { endedAt: null })).toEqual([{ kind: 'hold', from: at(10), to: Infinity }]);
    const endedAt = new Date(START + 40_000).toISOString();
    expect(graphMarks(items, { endedAt })).toEqual([
      { kind: 'hold', from: at(10), to: at(40) },
      { kind: 'end', from: at(40), to: at(40) },
    ]);
  });
});
