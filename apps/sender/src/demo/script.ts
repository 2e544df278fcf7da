import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import { createHash } from 'node:crypto';
import { CallRecords, type CallFacts, type Medium, type Metrics } from './call-records.js';
import { cast, DEMO_DOMAIN } from './cast.js';
import { Dice } from './dice.js';
import { interruption, rejection } from './failures.js';
import { measure, type Condition } from './measurements.js';

/** One record and when, in the scripted day, its front end reports it. */
export interface ScriptedRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly frontEnd: string;
  readonly record: DiagnosticsRecord;
}

export interface ScriptOptions {
  readonly seed: number;
  readonly frontEnds: number;
  /** The day ends here, milliseconds since 1970. It also makes the CallIds of each run its own. */
  readonly endsAt: number;
  readonly calls?: number;
}

export interface Script {
  readonly calls: number;
  /** In the order of their times. */
  readonly records: readonly ScriptedRecord[];
  readonly startsAt: number;
}

const HOUR = 3_600_000;
const DAY_LENGTH = 9 * HOUR;
const CALLS = 72;
/** Room at the end of the day for the last call to finish in. */
const LAST_CALL_BEFORE_END = 40 * 60_000;

/** How much later the second of two front ends reports the same activity. */
const SECOND_REPORT_AFTER_MS = 130;

type Turn = 'talk' | 'rejected' | 'broken' | 'lostEnd' | 'reportedTwice';

/** A day of calls: most go well, some are bad, some fail, one end gets lost, one call is seen by two front ends. */
export function writeScript({ seed, frontEnds, endsAt, calls = CALLS }: ScriptOptions): Script {
  const dice = new Dice(seed);
  const startsAt = endsAt - DAY_LENGTH;
  const names = frontEndNames(frontEnds);
  const spacing = (DAY_LENGTH - LAST_CALL_BEFORE_END) / calls;
  const records = Array.from({ length: calls }, (_, index) => {
    const at = startsAt + index * spacing + dice.between(0, spacing * 0.9);
    const run = createHash('sha256').update(`${seed} ${endsAt} ${index}`).digest('hex');
    return new CallScript({ dice, names, callId: run.slice(0, 32) }).write(Math.round(at), turnOf(index, calls, dice));
  });
  return { calls, records: records.flat().sort((a, b) => a.at - b.at), startsAt };
}

export function frontEndNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `fe${String(i + 1).padStart(2, '0')}.${DEMO_DOMAIN}`);
}

/** The two rare turns happen in every run, at places where somebody who watches sees them. */
function turnOf(index: number, calls: number, dice: Dice): Turn {
  if (index === Math.floor(calls * 0.25)) return 'reportedTwice';
  if (index === Math.floor(calls * 0.6)) return 'lostEnd';
  const chance = dice.fraction();
  return chance < 0.14 ? 'rejected' : chance < 0.2 ? 'broken' : 'talk';
}

interface CallScriptOptions {
  readonly dice: Dice;
  readonly names: readonly string[];
  readonly callId: string;
}

class CallScript {
  private readonly facts: CallFacts;
  private readonly written: ScriptedRecord[] = [];

  constructor(private readonly options: CallScriptOptions) {
    const { dice, callId } = options;
    const [caller, callee] = dice.pair(cast);
    this.facts = {
      callId,
      conversationId: Buffer.from(dice.hex(32), 'hex').toString('base64'),
      frontEnd: this.frontEndOf(caller.home),
      caller: { actor: caller, tag: dice.hex(10), port: 20_000 + 4 * dice.whole(0, 4_000) },
      callee: { actor: callee, tag: dice.hex(10), port: 20_000 + 4 * dice.whole(0, 4_000) },
    };
  }

  write(at: number, turn: Turn): readonly ScriptedRecord[] {
    const { dice } = this.options;
    if (turn === 'rejected') this.say(at, (call, when) => call.error(when, rejection(dice, this.facts.frontEnd)));
    else this.talk(at, turn);
    return this.written;
  }

  private talk(at: number, turn: Turn): void {
    const { dice } = this.options;
    const withVideo = dice.fraction() < 0.25;
    const length = dice.between(40_000, dice.fraction() < 0.2 ? 34 * 60_000 : 9 * 60_000);
    const end = Math.round(at + length);
    const reportedTwice = turn === 'reportedTwice';
    this.say(at, (call, when) => call.startOrUpdate(when, withVideo ? ['audio', 'video'] : ['audio']), reportedTwice);
    const media = this.changes(at, length, withVideo);
    if (turn === 'lostEnd') return;
    const failure = interruption(dice, this.facts.frontEnd);
    if (turn === 'broken') this.say(end - 2_000, (call, when) => call.error(when, failure));
    this.say(end, (call, when) => call.ended(when), reportedTwice);
    const reports = this.reports(media);
    this.say(end + 700, (call, when) => call.quality(when, at, reports));
  }

  /** During some longer calls video is added, or the streams move to other addresses; returns the media at the end. */
  private changes(at: number, length: number, withVideo: boolean): readonly Medium[] {
    const { dice } = this.options;
    const media: readonly Medium[] = withVideo || dice.fraction() < 0.2 ? ['audio', 'video'] : ['audio'];
    const changes = media.length > (withVideo ? 2 : 1) || (length > 300_000 && dice.fraction() < 0.5);
    const changeAt = Math.round(at + length * dice.between(0.2, 0.7));
    if (changes) this.say(changeAt, (call, when) => call.startOrUpdate(when, media));
    return media;
  }

  private reports(media: readonly Medium[]): ReadonlyMap<Medium, readonly [Metrics, Metrics]> {
    const { dice } = this.options;
    const { caller, callee } = this.facts;
    const far = caller.actor.vpn || callee.actor.vpn;
    const wireless = caller.actor.connection === 'Wifi' || callee.actor.connection === 'Wifi';
    const chance = dice.fraction();
    const condition: Condition = far || chance < 0.06 ? 'bad' : wireless && chance < 0.4 ? 'poor' : 'good';
    return new Map(
      media.map((medium) => [medium, [measure(medium, condition, dice), measure(medium, 'good', dice)] as const]),
    );
  }

  /** `twice`: the front end of the other party reports it too, under its own name and by its own clock. */
  private say(at: number, write: (call: CallRecords, when: number) => DiagnosticsRecord, twice = false): void {
    const { frontEnd, callee, caller } = this.facts;
    this.written.push({ at, frontEnd, record: write(new CallRecords(this.facts), at) });
    const home = this.frontEndOf(callee.actor.home);
    const other = home === frontEnd ? this.frontEndOf(caller.actor.home + 1) : home;
    if (!twice || other === frontEnd) return;
    const later = at + SECOND_REPORT_AFTER_MS;
    const record = write(new CallRecords({ ...this.facts, frontEnd: other }), later);
    this.written.push({ at: later, frontEnd: other, record });
  }

  private frontEndOf(home: number): string {
    const { names } = this.options;
    return names[home % names.length] ?? '';
  }
}
