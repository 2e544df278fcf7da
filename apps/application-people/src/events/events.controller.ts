import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import { QueryParameters } from '@ringdown/web-server/input';
import { acceptedType, LinkBuilder, reasons, ResourceWriter } from '@ringdown/hypermedia';
import {
  bearerToken,
  CurrentPrincipal,
  GuestsWelcome,
  TokenGuard,
  tokenHash,
  type Principal,
} from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions, stored } from '../sessions/sessions.js';
import { sendRepresentation } from '../http/answers.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { channelKey } from './channel-key.js';
import { EventChannels, type PollAnswer } from './event-channels.js';
import { PackageLinks, representEvents, type EventAnswer } from './event-package.js';
import { PollQuery, pollSettings } from './poll-parameters.js';

/** The event channel of a session: a long poll for the next package of events (web-interface.md, section 7). */
@Controller('uc/v1/applications/:id/events')
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
export class EventsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly channels: EventChannels,
    private readonly links: LinkBuilder,
    private readonly writer: ResourceWriter,
    private readonly guard: TokenGuard,
  ) {}

  @Get()
  async poll(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @QueryParameters() query: PollQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { web } = this.writer;
    const mediaType = acceptedType(request.headers.accept, web);
    const instance = query.instanceId;
    const { application } = await this.sessions.find(principal, id, instance);
    if (!application.instances.includes(instance)) throw new InterfaceError(reasons.applicationNotFound);
    const links = new PackageLinks(this.links, id, instance);
    // For a HEAD request, a package must not be marked as delivered.
    if (request.method === 'HEAD') return Buffer.alloc(0);
    const begun = this.channels.poll({
      key: channelKey(id, instance),
      ack: query.ack,
      settings: pollSettings(query),
      tokenHash: tokenHash(bearerToken(request.headers, web) ?? ''),
      expiresAt: principal.expiresAt,
    });
    reply.raw.once('close', () => begun.abandon());
    const answer = await stored(() => begun.answer);
    if (answer.kind === 'expired') await stored(() => this.sessions.expire(application, instance));
    // The session now reports why the channel is gone, and the guard reports whether the token is still valid.
    if (answer.kind === 'revoked') await this.guard.authenticate(request);
    if (answer.kind === 'expired' || answer.kind === 'closed') await this.sessions.find(principal, id, instance);
    return sendRepresentation(representEvents(eventAnswer(answer, links), mediaType, web), reply);
  }
}

function eventAnswer(answer: PollAnswer, links: PackageLinks): EventAnswer {
  switch (answer.kind) {
    case 'package':
      return { ...linksTo(links, answer.number, 1, answer.package.resume), events: answer.package.events };
    case 'timeout':
    case 'revoked':
      return { ...linksTo(links, answer.number, 0, answer.resume), events: [] };
    case 'resync':
      return { links: [{ rel: 'resync', href: links.package(answer.number) }], events: [] };
    case 'replaced':
      throw new InterfaceError(reasons.pollReplaced);
    default:
      throw new InterfaceError(reasons.applicationNotFound);
  }
}

/** With `resume` the client has to set up the session again; simple bots know only `next`. */
function linksTo(links: PackageLinks, number: number, step: number, resume: boolean): Omit<EventAnswer, 'events'> {
  const href = links.package(number + step);
  const next = { rel: 'next', href } as const;
  return { self: links.package(number), links: resume ? [next, { rel: 'resume', href }] : [next] };
}
