import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Directory, Person } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/http-server';
import { reasons, ResourceWriter, type Resource } from '@ringdown/hypermedia';
import { principalOf } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions, stored } from '../applications/sessions.js';
import { startAnswer } from '../http/answers.js';
import { SignedIn } from '../http/signed-in.guard.js';
import { DIRECTORY } from '../people/people.controller.js';
import type { PresenceRecord } from './presence-record.js';
import { PresenceResources } from './presence-resources.js';
import { Presences } from './presences.js';

/** What others have told of themselves (web-interface.md, section 5); nobody has to be subscribed to it. */
@Controller('uc/v1/applications/:id/people/:address')
@UseGuards(SignedIn)
export class ContactPresenceController {
  constructor(
    private readonly sessions: Sessions,
    private readonly presences: Presences,
    private readonly resources: PresenceResources,
    private readonly writer: ResourceWriter,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get('presence')
  presence(
    @Param('id') id: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, address, request, reply, (person, record) =>
      this.resources.contactPresence(id, person, record, this.presences.shownOf(record)),
    );
  }

  @Get('note')
  note(
    @Param('id') id: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, address, request, reply, (person, record) => this.resources.contactNote(id, person, record));
  }

  @Get('location')
  location(
    @Param('id') id: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, address, request, reply, (person, record) =>
      this.resources.contactLocation(id, person, record),
    );
  }

  @Get('supportedMedia')
  modalities(
    @Param('id') id: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, address, request, reply, (person, record) =>
      this.resources.contactModalities(id, person, record),
    );
  }

  private async answer(
    id: string,
    address: string,
    request: FastifyRequest,
    reply: FastifyReply,
    resourceFor: (person: Person, record: PresenceRecord) => Resource,
  ): Promise<Buffer> {
    const answer = startAnswer(this.writer, request, reply);
    await this.sessions.find(principalOf(request), id);
    const person = this.directory.people.withSipAddress(address);
    if (person === undefined) throw new InterfaceError(reasons.personNotFound);
    return answer(resourceFor(person, await stored(() => this.presences.read(person))));
  }
}
