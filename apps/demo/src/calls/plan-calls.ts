import { callEnd, conversationId, SeededRandom } from '@ringdown/generated-calls';
import type { CallPlan, Course, Failed, Side, Talk } from './call-plan.js';
import { failureFor, REASONS, SECONDS_UNTIL, trunkFailure } from './failures.js';
import { people, type Person } from './people.js';
import { CODECS, type FrontEnd, type Trunk } from './places.js';
import { seedNumber, type Beginning } from './rhythm.js';
import { isRefused, isTrunkDown, refusingGateway, trunksOf, type Story } from './story.js';

export interface PlanOptions {
  readonly frontEnds: readonly FrontEnd[];
  readonly story: Story;
  /** Whether the calls are shown while they run: more of them change. */
  readonly isLive: boolean;
  /** Calls from then on have all details. */
  readonly detailsFrom: number;
  /** Addresses of people who are on a call: not all are. */
  readonly busy?: ReadonlySet<string>;
}

type Medium = Pick<CallPlan, 'codec' | 'hasVideo' | 'course' | 'badness'>;
type Party =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'outside'; readonly number: string; readonly trunk: Trunk }
  | { readonly kind: 'conference'; readonly uri: string };

/** Plans the call that begins there and those that follow from it: legs of a conference, calls after a transfer. */
export function planCalls(beginning: Beginning, options: PlanOptions): readonly CallPlan[] {
  return new CallPlanner(beginning, options).plan();
}

/** Plans one call of this person, who calls or is called by a colleague, and it is answered. */
export function planCallOf(person: Person, beginning: Beginning, options: PlanOptions): CallPlan {
  return new CallPlanner(beginning, options).callOf(person);
}

class CallPlanner {
  private readonly random: SeededRandom;
  private calls = 0;

  constructor(
    private readonly beginning: Beginning,
    private readonly options: PlanOptions,
  ) {
    this.random = new SeededRandom(seedNumber(beginning.seed));
  }

  plan(): readonly CallPlan[] {
    const { story } = this.options;
    const chance = this.random.fraction();
    const { at } = this.beginning;
    // While the trunk is down, people try it again and again.
    const isTrying = at >= story.trunk.from && at < story.trunk.to && chance < 0.6;
    if (isTrying || chance < 0.25) return [this.throughTrunk(isTrying)];
    if (chance < 0.37) return [this.failed()];
    if (chance < 0.4) return this.transferred();
    if (chance < 0.43) return this.conference();
    const [caller, callee] = this.pair();
    return [this.talk(caller, callee)];
  }

  callOf(person: Person): CallPlan {
    const own = this.side({ kind: 'person', person });
    const colleague = this.person([own]);
    return this.random.fraction() < 0.5 ? this.talk(own, colleague) : this.talk(colleague, own);
  }

  private throughTrunk(isTrying: boolean): CallPlan {
    const { story } = this.options;
    const trunks = trunksOf(story);
    const trunk = isTrying ? trunks[0] : this.random.pick(trunks);
    const number = `${trunk.prefix}${this.random.whole(1_000_000, 9_999_999)}`.replaceAll(' ', '');
    const outside = this.side({ kind: 'outside', number, trunk });
    const person = this.person();
    const isDown = isTrunkDown(trunk.name, this.beginning.at, story);
    const isOutbound = isTrying || isDown || this.random.fraction() < 0.6;
    const [caller, callee] = isOutbound ? [person, outside] : [outside, person];
    const plan = this.talk(caller, callee);
    const isBroken = isRefused(plan, trunk, story);
    if (!isDown && !isBroken && (!isOutbound || this.random.fraction() > 0.02)) return plan;
    const refusing = isBroken ? { ...trunk, gateway: refusingGateway(trunk, story) } : trunk;
    const outcome: Failed = {
      kind: 'failed',
      endedAt: plan.invitedAt + this.random.whole(300, 900),
      failure: trunkFailure(refusing, plan.frontEnd),
    };
    return { ...plan, outcome, isDetailed: true };
  }

  private failed(): CallPlan {
    const [caller, callee] = this.pair();
    const plan = this.talk(caller, callee);
    const reason = this.random.pick(REASONS);
    const [from, to] = SECONDS_UNTIL[reason];
    const endedAt = plan.invitedAt + Math.round(this.random.between(from, to) * 1_000);
    const hasRung = reason === 'away' || reason === 'cancelled';
    const ringing = hasRung ? { ringingAt: plan.invitedAt + 900 } : {};
    return {
      ...plan,
      isDetailed: true,
      outcome: { kind: 'failed', ...ringing, endedAt, failure: failureFor(reason, plan.frontEnd) },
    };
  }

  /** A receptionist hands a call on: at once, or after a word with the third person (`Replaces`). */
  private transferred(): readonly CallPlan[] {
    const [caller, callee] = this.pair();
    const third = this.person([caller, callee]);
    const first = this.talk(caller, callee, 40);
    const talk = talkOf(first);
    const transfer = { to: `sip:${addressOfPerson(third)}`, by: 'Callee' } as const;
    const before = { ...first, outcome: { ...talk, endedBy: 'Callee' as const, transfer }, isDetailed: true };
    const link = {
      conversationId: first.conversationId,
      referredBy: `<sip:${addressOfPerson(callee)}>`,
      isDetailed: true,
    };
    if (this.random.fraction() < 0.6) {
      return [before, { ...this.talk(caller, third, 180, talk.endedAt - 400), ...link }];
    }
    const question = this.talk(callee, third, 1, talk.endedAt - 22_000);
    const asked = { ...talkOf(question), endedAt: talk.endedAt };
    const consultation = { ...question, conversationId: first.conversationId, outcome: asked, isDetailed: true };
    const replaces = `${consultation.callId};to-tag=${third.tag};from-tag=${callee.tag}`;
    return [before, consultation, { ...this.talk(caller, third, 240, talk.endedAt - 400), ...link, replaces }];
  }

  private conference(): readonly CallPlan[] {
    const legs = this.random.whole(3, 5);
    const id = this.random.hex(10).toUpperCase();
    const ends = this.beginning.at + this.random.whole(480, 1_900) * 1_000;
    const joined: Side[] = [];
    for (let leg = 0; leg < legs; leg++) joined.push(this.person(joined));
    const conversation = conversationId(this.random);
    return joined.map((person) => {
      const uri = `meeting-${id.toLowerCase()}@example.test;gruu;opaque=app:conf:audio-video:id:${id}`;
      const joinsAt = this.beginning.at + this.random.whole(0, 90) * 1_000;
      const leg = this.talk(person, this.side({ kind: 'conference', uri }), 600, joinsAt);
      const endedAt = ends + this.random.whole(0, 12) * 1_000;
      return { ...leg, conversationId: conversation, conferenceId: id, outcome: { ...talkOf(leg), endedAt } };
    });
  }

  /** `meanSeconds`: how long people talk. */
  private talk(caller: Side, callee: Side, meanSeconds = 270, at = this.beginning.at): CallPlan {
    const { random } = this;
    const { detailsFrom, isLive } = this.options;
    const rings = callee.kind === 'conference' ? 0.4 : random.between(2, 14);
    const ringingAt = at + random.whole(300, callee.kind === 'outside' ? 2_600 : 900);
    const answeredAt = ringingAt + Math.round(rings * 1_000);
    const isShort = random.fraction() < 0.05;
    const seconds = isShort ? random.between(2, 7) : 20 - Math.log(1 - random.fraction()) * meanSeconds;
    const medium = this.medium(caller, callee, isLive);
    const length = Math.min(seconds, 2_400) * 1_000;
    const endedAt = Math.round(answeredAt + length);
    const endedBy = random.fraction() < 0.55 ? 'Caller' : 'Callee';
    const outcome: Talk = { kind: 'talk', ringingAt, answeredAt, endedAt, endedBy };
    const holds = length > 90_000 && random.fraction() < 0.15;
    const from = Math.round(answeredAt + length * 0.3);
    return {
      callId: `${random.hex(8)}${seedNumber(`${this.beginning.seed} ${this.calls++}`).toString(16).padStart(8, '0')}${random.hex(16)}`,
      conversationId: conversationId(random),
      seed: random.whole(0, 0xffff_ffff),
      frontEnd: this.home(caller.kind === 'person' ? caller : callee),
      caller,
      callee,
      invitedAt: at,
      outcome,
      ...medium,
      changesUntil: endedAt,
      ...(holds ? { hold: { from, to: Math.round(from + Math.min(45_000, length * 0.2)) } } : {}),
      isDetailed: at >= detailsFrom || medium.course !== 'steady',
    };
  }

  private medium(caller: Side, callee: Side, isLive: boolean): Medium {
    const { random } = this;
    const chance = random.fraction();
    const changes = chance < (isLive ? 0.22 : 0.06);
    const course: Course = !changes ? 'steady' : chance % 0.02 < 0.01 ? 'worsening' : 'dip';
    const badness = changes ? random.between(0.45, 0.85) : random.between(0, 0.1);
    const isOutside = caller.kind === 'outside' || callee.kind === 'outside';
    const canShow = [caller, callee].every(
      (side) => side.kind === 'conference' || (side.kind === 'person' && side.person.device.os !== undefined),
    );
    const codec = isOutside ? 'PCMA/8000' : random.pick(CODECS);
    return { codec, hasVideo: canShow && random.fraction() < 0.3, course, badness };
  }

  private pair(): readonly [Side, Side] {
    const caller = this.person();
    return [caller, this.person([caller])];
  }

  /** One that is not on the call yet. */
  private person(others: readonly Side[] = []): Side {
    const taken = new Set(others.map((side) => (side.kind === 'person' ? side.person.address : '')));
    const { busy } = this.options;
    const free = people.filter(({ address }) => !taken.has(address) && busy?.has(address) !== true);
    const person = free[this.random.whole(0, free.length - 1)];
    if (person === undefined) throw new Error('a call needs a person who is not on it yet');
    return this.side({ kind: 'person', person });
  }

  private side(party: Party): Side {
    return { ...party, ...callEnd(this.random) };
  }

  private home(side: Side): FrontEnd {
    const { frontEnds } = this.options;
    const index = side.kind === 'person' ? people.indexOf(side.person) : this.calls;
    const frontEnd = frontEnds[index % frontEnds.length];
    if (frontEnd === undefined) throw new Error('the demo needs a front end');
    return frontEnd;
  }
}

function talkOf({ outcome }: CallPlan): Talk {
  if (outcome.kind === 'talk') return outcome;
  throw new Error('a failed call has no talk');
}

function addressOfPerson(side: Side): string {
  return side.kind === 'person' ? side.person.address : '';
}
