import { callEnd, conversationId, frontEndName, SeededRandom, type ScriptedRecord } from '@ringdown/generated-calls';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { createHash } from 'node:crypto';
import { CallRecords, type CallFacts, type Medium, type MediumMetrics } from './call-records.js';
import { generatedUsers } from './generated-users.js';
import { interruption, rejection } from './failures.js';
import { measure, type Condition } from './measurements.js';

export interface Script {
  readonly calls: number;
  /** In the order of their times. */
  readonly records: readonly ScriptedRecord[];
  readonly startsAt: number;
}

export interface ScriptOptions {
  readonly seed: number;
  readonly frontEnds: number;
  /** End of the day, milliseconds since 1970. It also makes the CallIds of each run different. */
  readonly endsAt: number;
  readonly calls?: number;
}

const HOUR = 3_600_000;
const DAY_LENGTH = 9 * HOUR;
const CALLS = 72;
/** Time at the end of the day in which the last call can finish. */
const LAST_CALL_BEFORE_END = 40 * 60_000;

/** How much later the second of two front ends reports the same activity. */
const SECOND_REPORT_AFTER_MS = 130;

type CallKind = 'talk' | 'rejected' | 'broken' | 'lostEnd' | 'reportedTwice';

/** A day of calls: most are good, some are bad, some fail, one lacks its end, one is reported by two front ends. */
export function writeScript({ seed, frontEnds, endsAt, calls = CALLS }: ScriptOptions): Script {
  const random = new SeededRandom(seed);
  const startsAt = endsAt - DAY_LENGTH;
  const names = frontEndNames(frontEnds);
  const spacing = (DAY_LENGTH - LAST_CALL_BEFORE_END) / calls;
  const records = Array.from({ length: calls }, (_, index) => {
    const at = startsAt + index * spacing + random.between(0, spacing * 0.9);
    const run = createHash('sha256').update(`${seed} ${endsAt} ${index}`).digest('hex');
    return new CallScript({ random, names, callId: run.slice(0, 32) }).write(
      Math.round(at),
      chooseCallKind(index, calls, random),
    );
  });
  return { calls, records: records.flat().sort((a, b) => a.at - b.at), startsAt };
}

export function frontEndNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => frontEndName(index));
}

/** The two rare kinds occur in every run, at times when a viewer of the console sees them. */
function chooseCallKind(index: number, calls: number, random: SeededRandom): CallKind {
  if (index === Math.floor(calls * 0.25)) return 'reportedTwice';
  if (index === Math.floor(calls * 0.6)) return 'lostEnd';
  const chance = random.fraction();
  return chance < 0.14 ? 'rejected' : chance < 0.2 ? 'broken' : 'talk';
}

interface CallScriptOptions {
  readonly random: SeededRandom;
  readonly names: readonly string[];
  readonly callId: string;
}

class CallScript {
  private readonly facts: CallFacts;
  private readonly written: ScriptedRecord[] = [];

  constructor(private readonly options: CallScriptOptions) {
    const { random, callId } = options;
    const [caller, callee] = random.pair(generatedUsers);
    this.facts = {
      callId,
      conversationId: conversationId(random),
      frontEnd: this.frontEndOf(caller.home),
      caller: { user: caller, ...callEnd(random) },
      callee: { user: callee, ...callEnd(random) },
    };
  }

  write(at: number, kind: CallKind): readonly ScriptedRecord[] {
    const { random } = this.options;
    if (kind === 'rejected') this.report(at, (call, when) => call.error(when, rejection(random, this.facts.frontEnd)));
    else this.writeTalk(at, kind);
    return this.written;
  }

  private writeTalk(at: number, kind: CallKind): void {
    const { random } = this.options;
    const withVideo = random.fraction() < 0.25;
    const length = random.between(40_000, random.fraction() < 0.2 ? 34 * 60_000 : 9 * 60_000);
    const end = Math.round(at + length);
    const reportedTwice = kind === 'reportedTwice';
    this.report(
      at,
      (call, when) => call.startOrUpdate(when, withVideo ? ['audio', 'video'] : ['audio']),
      reportedTwice,
    );
    const media = this.changes(at, length, withVideo);
    if (kind === 'lostEnd') return;
    const failure = interruption(random, this.facts.frontEnd);
    if (kind === 'broken') this.report(end - 2_000, (call, when) => call.error(when, failure));
    this.report(end, (call, when) => call.ended(when), reportedTwice);
    const reports = this.reports(media);
    this.report(end + 700, (call, when) => call.quality(when, at, reports));
  }

  /** In some longer calls video is added, or the streams change addresses. Returns the media at the end. */
  private changes(at: number, length: number, withVideo: boolean): readonly Medium[] {
    const { random } = this.options;
    const media: readonly Medium[] = withVideo || random.fraction() < 0.2 ? ['audio', 'video'] : ['audio'];
    const changes = media.length > (withVideo ? 2 : 1) || (length > 300_000 && random.fraction() < 0.5);
    const changeAt = Math.round(at + length * random.between(0.2, 0.7));
    if (changes) this.report(changeAt, (call, when) => call.startOrUpdate(when, media));
    return media;
  }

  private reports(media: readonly Medium[]): ReadonlyMap<Medium, readonly [MediumMetrics, MediumMetrics]> {
    const { random } = this.options;
    const { caller, callee } = this.facts;
    const far = caller.user.vpn || callee.user.vpn;
    const wireless = caller.user.connection === 'Wifi' || callee.user.connection === 'Wifi';
    const chance = random.fraction();
    const condition: Condition = far || chance < 0.06 ? 'bad' : wireless && chance < 0.4 ? 'poor' : 'good';
    return new Map(
      media.map((medium) => [medium, [measure(medium, condition, random), measure(medium, 'good', random)] as const]),
    );
  }

  /** `twice`: the front end of the other party reports it too, under its own name and by its own clock. */
  private report(at: number, write: (call: CallRecords, when: number) => DiagnosticsRecord, twice = false): void {
    const { frontEnd, callee, caller } = this.facts;
    this.written.push({ at, frontEnd, record: write(new CallRecords(this.facts), at) });
    const home = this.frontEndOf(callee.user.home);
    const other = home === frontEnd ? this.frontEndOf(caller.user.home + 1) : home;
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
