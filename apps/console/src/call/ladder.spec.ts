import type { TimelineItem } from '../api/answers.js';
import { ladderOf } from './ladder.js';

function item(...events: TimelineItem['events']): TimelineItem {
  const at = '2026-11-21T12:00:00.000Z';
  const after = { state: 'active', endReason: null, verdict: 'unknown', cause: null, partial: false } as const;
  return {
    recordId: 'r1',
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
    events,
    cut: [],
    after,
    changed: [],
  };
}

const anna = { uri: 'sip:anna@example.test;gruu', id: '1' };
const ben = { uri: 'sip:ben@example.test' };

describe('ladderOf', () => {
  it('has a lane for each party, in the order in which they appear', () => {
    const { lanes, steps } = ladderOf([
      item({ kind: 'invite', caller: anna, callee: ben }),
      item({ kind: 'start', mediaType: 'audio', from: ben, to: { ip: '192.0.2.1' } }),
    ]);
    expect(lanes).toEqual(['anna@example.test', 'ben@example.test', '192.0.2.1']);
    expect(steps).toMatchObject([
      [{ label: 'invites', from: 0, to: 1, isArrow: true }],
      [{ label: 'sends audio', from: 1, to: 2, isArrow: true }],
    ]);
  });

  it('draws events without direction as a line, and events without parties over all lanes', () => {
    const { steps } = ladderOf([
      item({ kind: 'error', endpoints: [anna, ben], responseCode: { code: 486 } }, { kind: 'bye' }),
    ]);
    expect(steps).toMatchObject([
      [
        { label: 'error 486', from: 0, to: 1, isArrow: false },
        { label: 'hangs up', from: undefined, to: undefined },
      ],
    ]);
  });

  it('shows unknown events, and records without events', () => {
    expect(ladderOf([item({ kind: 'fancy' }), item()]).steps).toMatchObject([[{ label: 'fancy' }], []]);
  });
});
