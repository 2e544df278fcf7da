import { errorEvent, recordTime, VIDEO_CODEC, type ScriptedRecord } from '@ringdown/generated-calls';
import type { Bandwidth, DiagnosticsRecord, Extensions, RecordEvent } from '@ringdown/xml-schemas/record';
import type { CallPlan, Side, Talk } from './call-plan.js';
import { sideIdentity, sideMediaEnd, reportedEndOf } from './endpoints.js';
import { audioMetrics, badnessAt, videoMetrics, type MeasuredTime } from './measurements.js';
import { isDuring, type Story } from './story.js';

const REPORTS_AT_MOST = 16;
const REPORT_EVERY_MS = 15_000;
/** Reports of the clients arrive a moment after the end. */
const QUALITY_AFTER_MS = 1_200;

/** All records of a planned call as its front end sends them (version D), in the order of their times. */
export function plannedRecords(plan: CallPlan, story: Story): readonly ScriptedRecord[] {
  return new CallRecords(plan, story).all().sort((a, b) => a.at - b.at);
}

class CallRecords {
  constructor(
    private readonly plan: CallPlan,
    private readonly story: Story,
  ) {}

  all(): ScriptedRecord[] {
    const { outcome, caller, callee, invitedAt } = this.plan;
    const invite = this.record(invitedAt, [
      { kind: 'invite', caller: sideMediaEnd(caller, false), callee: sideIdentity(callee) },
    ]);
    if (outcome.kind === 'talk') return [invite, ...this.talk(outcome)];
    const { failure, endedAt } = outcome;
    const event = errorEvent([sideIdentity(caller), sideMediaEnd(callee, false)], failure);
    const times = outcome.ringingAt === undefined ? undefined : this.setupTimes(outcome.ringingAt, endedAt);
    return [invite, this.record(endedAt, [event], times)];
  }

  private talk(talk: Talk): ScriptedRecord[] {
    const { plan } = this;
    const { answeredAt, endedAt, ringingAt, endedBy, transfer } = talk;
    const further: Extensions = {
      EndedBy: endedBy,
      ...(transfer ? { TransferredTo: transfer.to, TransferredBy: transfer.by } : {}),
    };
    const endpoints = [sideIdentity(plan.caller), sideIdentity(plan.callee)];
    const started = this.record(answeredAt, this.streams('start'), this.setupTimes(ringingAt, answeredAt));
    const ended = this.record(endedAt, [{ kind: 'bye', endpoints }], further);
    const final = this.record(endedAt + QUALITY_AFTER_MS, this.reports('qualityUpdate', talk, endedAt));
    return [started, ...this.holds(talk), ...this.duringCall(talk), ended, final];
  }

  private holds({ endedAt }: Talk): ScriptedRecord[] {
    const { hold } = this.plan;
    if (hold === undefined || hold.from >= endedAt) return [];
    const held = this.record(hold.from, this.streams('update', { average: 0, maximum: 0 }));
    const resumed = this.record(hold.to, this.streams('update', { average: 64_000, maximum: 64_000 }));
    return hold.to < endedAt ? [held, resumed] : [held];
  }

  /** Clients report now and then; of bad calls of the past, and of all calls that are not long ago. */
  private duringCall(talk: Talk): ScriptedRecord[] {
    const { answeredAt, endedAt } = talk;
    const { story, plan } = this;
    if (!plan.isDetailed && !isDuring(story.accessPoint, answeredAt)) return [];
    const every = Math.max(REPORT_EVERY_MS, Math.round((endedAt - answeredAt) / REPORTS_AT_MOST));
    const count = Math.floor((endedAt - answeredAt - 1) / every);
    return Array.from({ length: count }, (_, index) => {
      const at = answeredAt + (index + 1) * every;
      return this.record(at, this.reports('inCallQuality', talk, at));
    });
  }

  private reports(kind: 'inCallQuality' | 'qualityUpdate', { answeredAt }: Talk, at: number): RecordEvent[] {
    const { plan, story } = this;
    const time: MeasuredTime = { at, answeredAt };
    const media = plan.hasVideo ? (['audio', 'video'] as const) : (['audio'] as const);
    return media.flatMap((mediaType) =>
      this.directions().map((ends): RecordEvent => {
        const [from, to] = ends;
        const badness = badnessAt(plan, ends, at, story);
        const isVideo = mediaType === 'video';
        return {
          kind,
          mediaType,
          from: reportedEndOf(from, isVideo, badness, story),
          to: reportedEndOf(to, isVideo, badness, story),
          codecs: [{ name: isVideo ? VIDEO_CODEC.name : plan.codec }],
          metrics: isVideo ? videoMetrics(plan, ends, time, story) : audioMetrics(plan, ends, time, story),
        };
      }),
    );
  }

  private streams(kind: 'start' | 'update', bandwidth?: Bandwidth): RecordEvent[] {
    const { hasVideo, codec, referredBy, replaces, caller, callee } = this.plan;
    const [border] = [caller, callee].flatMap((side) => (side.kind === 'outside' ? (side.trunk.border ?? []) : []));
    const media = hasVideo ? (['audio', 'video'] as const) : (['audio'] as const);
    return media.flatMap((mediaType) =>
      this.directions().map(([from, to]): RecordEvent => {
        return {
          kind,
          mediaType,
          from: sideMediaEnd(from, mediaType === 'video'),
          to: sideMediaEnd(to, mediaType === 'video'),
          protocol: 'UDP',
          codecs: [mediaType === 'video' ? VIDEO_CODEC : { name: codec, low: 47_700, high: 105_000 }],
          ...(bandwidth ? { bandwidth } : {}),
          ...(referredBy === undefined ? {} : { referredBy }),
          ...(replaces === undefined ? {} : { replaces }),
          ...(border === undefined ? {} : { via: [`SIP/2.0/TLS ${border}:5061`] }),
        };
      }),
    );
  }

  private directions(): readonly (readonly [Side, Side])[] {
    const { caller, callee } = this.plan;
    return [
      [caller, callee],
      [callee, caller],
    ];
  }

  private setupTimes(ringingAt: number, until: number): Extensions {
    const { invitedAt } = this.plan;
    return { PostDialDelay: `${ringingAt - invitedAt}`, RingTime: `${Math.max(0, until - ringingAt)}` };
  }

  private record(at: number, events: readonly RecordEvent[], further?: Extensions): ScriptedRecord {
    const { frontEnd, callId, conversationId, conferenceId, caller, callee } = this.plan;
    const isRelayed = [caller, callee].some((side) => side.kind === 'person' && side.person.connection === 'home');
    const isReport = events.some(({ kind }) => kind === 'qualityUpdate');
    const record: DiagnosticsRecord = {
      version: 'D',
      connection: {
        callId,
        frontEnds: [frontEnd.name],
        pools: [frontEnd.pool],
        conversationId,
        timeStamp: recordTime(at),
        ...(conferenceId === undefined ? {} : { conferenceId }),
        ...(isReport ? { connectivity: isRelayed ? 'RELAY' : 'DIRECT' } : {}),
        ...(further === undefined ? {} : { further }),
      },
      events,
    };
    return { at, frontEnd: frontEnd.name, record };
  }
}
