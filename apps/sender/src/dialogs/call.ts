import { withoutAbsent, type Endpoint, type ErrorEvent, type RecordEvent } from '@ringdown/xml-schemas';
import { bodyPart } from '../sip/body-part.js';
import { readSessionDescription } from '../sip/session-description.js';
import type { SipHeaders, SipMessage } from '../sip/sip-message.js';
import { changesOf, endsOf, type AgreedMedium, type Description, type Parties, type Side } from './agreed-media.js';
import { Offers } from './offers.js';
import { outcomeOf, reasonOf } from './outcome.js';
import { answerer, identity, named, requester } from './party.js';

export type CallState = 'inviting' | 'active' | 'over';

/**
 * One call as its SIP messages tell of it, from the first INVITE to the goodbye: what is seen goes in, events for the
 * feed come out. The same message is seen several times, sent again and at each hop of its way; only the first says
 * something. Of a forked call the device counts that answers first.
 */
export class Call {
  private current: CallState = 'inviting';
  private readonly offers = new Offers();
  private callerEnd: Endpoint;
  private calleeEnd: Endpoint;
  private agreed: readonly AgreedMedium[] = [];
  /** The caller's transaction: its answer is the one that the caller gets. */
  private invitation = { cseq: -1, branch: '' };
  private cancelled: SipHeaders | undefined;
  /** A refused call may be tried again, one that was ended is over. */
  private hadGoodbye = false;
  /** A refusal after which callers try again: with a password, at another place. */
  private refusal: ErrorEvent | undefined;

  /** `first`: its INVITE; or a goodbye, of a call whose beginning nobody saw. */
  constructor(
    first: SipMessage,
    private readonly frontEnd: string,
  ) {
    this.callerEnd = requester(first);
    this.calleeEnd = named(first.to);
  }

  get state(): CallState {
    return this.current;
  }

  get media(): readonly AgreedMedium[] {
    return this.agreed;
  }

  get parties(): Parties {
    return { caller: this.callerEnd, callee: this.calleeEnd };
  }

  /** What a message tells the feed: often nothing. */
  see(message: SipMessage): readonly RecordEvent[] {
    if (message.response) return this.seeResponse(message, message.response.status);
    switch (message.method) {
      case 'INVITE':
        return message.to.tag === undefined ? this.invited(message) : this.offered(message);
      case 'UPDATE':
        return this.offered(message);
      case 'ACK':
        return this.agreeTo(this.offers.acknowledged(transactionOf(message, 'INVITE'), descriptionIn(message)));
      case 'CANCEL':
        if (message.cseq === this.invitation.cseq) this.cancelled ??= message.headers;
        return [];
      case 'BYE':
        return this.saidGoodbye(message);
      default:
        return [];
    }
  }

  /** Nobody will say more: what was held back comes out. */
  giveUp(): readonly RecordEvent[] {
    const held = this.current === 'inviting' && this.refusal ? [this.refusal] : [];
    this.current = 'over';
    return held;
  }

  private invited(message: SipMessage): readonly RecordEvent[] {
    const { cseq, from, branch } = message;
    // Copies on their way to the devices have the number of the caller's own; another number is another try.
    const isNew = from.tag === this.callerEnd.id && cseq > this.invitation.cseq;
    if (!isNew || this.current === 'active' || this.hadGoodbye) return [];
    this.invitation = { cseq, branch };
    this.current = 'inviting';
    this.refusal = undefined;
    this.cancelled = undefined;
    this.agreed = [];
    this.callerEnd = requester(message);
    this.calleeEnd = named(message.to);
    this.offers.made(transactionOf(message), 'caller', descriptionIn(message));
    return [{ kind: 'invite', caller: this.callerEnd, callee: this.calleeEnd }];
  }

  private offered(message: SipMessage): readonly RecordEvent[] {
    const offerer = this.sideOf(message.from.tag);
    const description = descriptionIn(message);
    const asks = message.method === 'INVITE' || description !== undefined;
    if (this.current === 'active' && offerer && asks) {
      this.offers.made(transactionOf(message), offerer, description);
    }
    return [];
  }

  private seeResponse(message: SipMessage, status: number): readonly RecordEvent[] {
    if (message.method !== 'INVITE' && message.method !== 'UPDATE') return [];
    const isInvitation =
      message.method === 'INVITE' && message.cseq === this.invitation.cseq && this.isCallers(message);
    const { tag = '' } = message.to;
    if (status < 200) this.offers.announced(tag, descriptionIn(message));
    else if (status >= 300) return isInvitation ? this.refused(message, status) : this.notAgreed(message);
    else if (isInvitation) return this.answered(message);
    else return this.agreeTo(this.offers.accepted(transactionOf(message), tag, descriptionIn(message)));
    return [];
  }

  private answered(message: SipMessage): readonly RecordEvent[] {
    if (this.current !== 'inviting') return [];
    this.current = 'active';
    this.calleeEnd = withoutAbsent({ ...this.calleeEnd, ...answerer(message) });
    const { tag = '' } = message.to;
    return this.agreeTo(this.offers.accepted(transactionOf(message), tag, descriptionIn(message)));
  }

  /** What a device answers is not what the caller gets: of a forked call one device may refuse and another answer. */
  private refused(message: SipMessage, status: number): readonly RecordEvent[] {
    if (this.current !== 'inviting' || message.branch !== this.invitation.branch) return [];
    this.offers.refused(transactionOf(message));
    const callee = withoutAbsent({ ...identity(this.calleeEnd), id: message.to.tag });
    const refusal: ErrorEvent = {
      kind: 'error',
      endpoints: [identity(this.callerEnd), callee],
      ...outcomeOf(message, this.frontEnd, this.cancelled),
    };
    if (isTriedAgain(status)) {
      this.refusal = refusal;
      return [];
    }
    this.current = 'over';
    return [refusal];
  }

  /** The call goes on with the media it has. */
  private notAgreed(message: SipMessage): readonly RecordEvent[] {
    this.offers.refused(transactionOf(message));
    return [];
  }

  private agreeTo(media: readonly AgreedMedium[] | undefined): readonly RecordEvent[] {
    if (!media || this.current !== 'active') return [];
    const changes = changesOf(this.agreed, media, this.parties);
    this.agreed = media;
    return changes;
  }

  private saidGoodbye(message: SipMessage): readonly RecordEvent[] {
    if (this.current === 'over' || !this.isOfThisDialog(message)) return [];
    this.current = 'over';
    this.hadGoodbye = true;
    // The answer was not seen: the goodbye tells which device it was.
    this.calleeEnd = { ...this.calleeEnd, ...(this.calleeEnd.id === undefined ? this.farEnd(message) : {}) };
    const ends = this.agreed.flatMap((medium) => endsOf(medium, this.parties));
    const diagnostics = reasonOf(message.headers, this.frontEnd);
    const endpoints = [identity(this.callerEnd), identity(this.calleeEnd)];
    return [...ends, withoutAbsent({ kind: 'bye' as const, endpoints, diagnostics })];
  }

  /** Another device of a forked call may be sent a goodbye of its own. */
  private isOfThisDialog({ from, to }: SipMessage): boolean {
    const tags = [from.tag, to.tag];
    const isCalleesToo = this.calleeEnd.id === undefined || tags.includes(this.calleeEnd.id);
    return tags.includes(this.callerEnd.id) && isCalleesToo;
  }

  private farEnd(message: SipMessage): Endpoint {
    return named(this.isCallers(message) ? message.to : message.from);
  }

  /** From of a response is that of its request. */
  private isCallers(message: SipMessage): boolean {
    return message.from.tag === this.callerEnd.id;
  }

  private sideOf(tag: string | undefined): Side | undefined {
    if (tag === this.callerEnd.id) return 'caller';
    return tag === this.calleeEnd.id ? 'callee' : undefined;
  }
}

function transactionOf({ from, cseq, method }: SipMessage, as = method): string {
  return `${as} ${cseq} ${from.tag ?? ''}`;
}

function descriptionIn(message: SipMessage): Description | undefined {
  const text = bodyPart(message, 'application/sdp');
  return text === undefined ? undefined : readSessionDescription(text);
}

/** Password wanted, moved, interval too small: the same call comes again with a higher CSeq (RFC 3261, 8.1.3; RFC 4028). */
function isTriedAgain(status: number): boolean {
  return status < 400 || status === 401 || status === 407 || status === 422;
}
