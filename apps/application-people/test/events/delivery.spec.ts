import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { BOUNDS } from '../../src/events/release.js';
import type { SessionEvent } from '../../src/events/session-event.js';
import { ChannelWorld, type Happening, type WorldClient } from './channel-world.js';

const happenings = array(
  record<Happening>({
    kind: constantFrom(
      ...([
        'append',
        'append',
        'poll',
        'poll',
        'write',
        'write',
        'write',
        'write',
        'receiveWake',
        'receive',
        'receive',
      ] as const),
      ...(['loseWake', 'loseAnswer', 'crash', 'hangUp', 'check', 'pass'] as const),
    ),
    pick: nat(1_000),
  }),
  { maxLength: 200, size: 'max' },
);

/** Relations of different urgencies, selected at random. */
const RELS = ['message', 'presence', 'pinnedGroup'];

/** Some events each, so that whatever waits is packed and split. */
const SMALL = { ...BOUNDS, pendingBytes: 400, packageBytes: 250 };

describe('a channel with losses, crashes and overlapping requests', () => {
  it.each([
    ['in packages with all that waits', BOUNDS],
    ['in many packages', SMALL],
  ])('delivers every stored event to its client exactly once and in order, %s', (_how, bounds) => {
    assert(
      property(happenings, (all) => {
        const storedEvents: string[] = [];
        const received: string[] = [];
        let made = 0;
        const client: WorldClient & { next: number } = {
          next: 1,
          onAnswer(answer) {
            if (answer.kind === 'resync') throw new Error(`sent from ${this.next} to ${answer.number}`);
            if (answer.kind !== 'package') return;
            expect(answer.number).toBe(this.next);
            received.push(...answer.package.events.map(({ link }) => link.href));
            this.next = answer.number + 1;
          },
        };
        const source = {
          next: (pick: number): SessionEvent[] =>
            Array.from({ length: (pick % 3) + 1 }, (_, n) => ({
              sender: { rel: 'people', href: '/people' },
              type: 'added',
              link: { rel: RELS[(pick + n) % 3] ?? '', href: `/${++made}` },
              receipt: { conversation: 'c', number: made },
            })),
          stored: (events: readonly SessionEvent[]) => storedEvents.push(...events.map(({ link }) => link.href)),
        };
        const world = new ChannelWorld(client, source, bounds);
        for (const each of all) world.happen(each);
        world.comeToRest();
        expect(received).toEqual(storedEvents);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each([
    ['overflows', { ...BOUNDS, events: 5 }],
    ['splits and overflows', { ...SMALL, events: 9 }],
  ])('leaves its client with the newest state of everything, although it merges, %s', (_how, bounds) => {
    let overflows = 0;
    assert(
      property(happenings, (all) => {
        const truth = new Map<string, number>();
        let known = new Map<string, number>();
        let version = 0;
        const client: WorldClient & { next: number } = {
          next: 1,
          onAnswer(answer) {
            if (answer.kind === 'resync') {
              // The client cannot know what it has missed, so it reads everything again.
              overflows++;
              known = new Map(truth);
              this.next = answer.number;
            } else if (answer.kind === 'package') {
              for (const { link } of answer.package.events) known.set(link.href, truth.get(link.href) ?? 0);
              this.next = answer.number + 1;
            }
          },
        };
        const source = {
          next: (pick: number): SessionEvent[] => [
            {
              sender: { rel: 'people', href: '/people' },
              type: 'updated',
              link: { rel: RELS[pick % 3] ?? '', href: `/${pick % 7}` },
            },
          ],
          // The event only names the resource that has changed; the client reads it there.
          stored: (events: readonly SessionEvent[]) => {
            for (const { link } of events) truth.set(link.href, ++version);
          },
        };
        const world = new ChannelWorld(client, source, bounds);
        for (const each of all) world.happen(each);
        world.comeToRest();
        expect(known).toEqual(truth);
      }),
      { numRuns: 1_500 },
    );
    expect(overflows).toBeGreaterThan(20);
  });
});
