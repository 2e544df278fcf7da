import { Controller } from '@nestjs/common';
import { MessagePattern, Payload, RpcException } from '@nestjs/microservices';
import {
  CALLS_IN_PROGRESS_PATTERN,
  type CallOutline,
  type CallsInProgressPage,
  type PartyOutline,
} from '@ringdown/contracts/calls';
import { errorReason } from '@ringdown/errors';
import { callKey } from '../../calls/call-keys.js';
import type { Call } from '../../calls/call.js';
import { isDamage } from '../../store/database/damaged-files.js';
import { CallQueries } from '../../store/calls/call-queries.js';
import { DatabaseUnavailable } from '../../store/database/database.js';

const PAGE_CALLS = 200;
/** Well below NATS' limit of one megabyte per message. */
const PAGE_CHARACTERS = 256 * 1_024;

/** Which requests on the bus this service handles when it shares a process. */
export const AGGREGATOR = Symbol('aggregator');

/**
 * Reports to other services who is in a call right now, one page at a time: what they may have missed of
 * `calls.changed` is in the database.
 */
@Controller()
export class CallsInProgressController {
  constructor(private readonly queries: CallQueries) {}

  @MessagePattern(CALLS_IN_PROGRESS_PATTERN, AGGREGATOR)
  async page(@Payload() request: unknown): Promise<CallsInProgressPage> {
    try {
      return await pageAfter(afterOf(request), this.queries);
    } catch (error) {
      // Reported already, and no fault of this program.
      throw isDamage(error) || error instanceof DatabaseUnavailable ? new RpcException(errorReason(error)) : error;
    }
  }
}

async function pageAfter(after: string, queries: CallQueries): Promise<CallsInProgressPage> {
  const calls = await queries.inProgressAfter(after, PAGE_CALLS);
  const outlines: CallOutline[] = [];
  let characters = 0;
  for (const call of calls) {
    const outline = outlineOf(call);
    characters += JSON.stringify(outline).length;
    if (outlines.length > 0 && characters > PAGE_CHARACTERS) break;
    outlines.push(outline);
  }
  const last = outlines.at(-1);
  const isLast = outlines.length === calls.length && calls.length < PAGE_CALLS;
  return { calls: outlines, next: last === undefined || isLast ? null : callKey(last.callId) };
}

/** Only the addresses of each party. */
function outlineOf({ callId, version, state, feeds, streams, parties }: Call): CallOutline {
  return {
    feeds,
    callId,
    version,
    state,
    streams: streams.map((stream) => ({
      state: stream.state,
      from: stream.from && partyUriOnly(stream.from),
      to: stream.to && partyUriOnly(stream.to),
    })),
    parties: parties.map((party) => partyUriOnly(party)),
  };
}

function partyUriOnly({ uri }: PartyOutline): PartyOutline {
  return uri === undefined ? {} : { uri };
}

function afterOf(question: unknown): string {
  const after = typeof question === 'object' && question !== null && 'after' in question ? question.after : null;
  return typeof after === 'string' ? after : '';
}
