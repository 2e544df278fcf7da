import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ResourceWriter } from '@ringdown/hypermedia';
import { CurrentPrincipal, type Principal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { startAnswer } from '../http/answers.js';
import { readApplicationInput } from './application-input.js';
import { ApplicationResources } from './resources.js';
import { Sessions } from './sessions.js';
import { SignedIn } from '../http/signed-in.guard.js';

/** Creating, reading and ending applications (spec, row 5). */
@Controller('uc/v1/applications')
@UseGuards(SignedIn)
export class ApplicationsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly resources: ApplicationResources,
    private readonly writer: ResourceWriter,
  ) {}

  /** 201 for a new application as for one that is there: some clients know no other success. */
  @Post()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest<{ Body: Buffer | undefined }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const answer = startAnswer(this.writer, request, reply);
    const body = { contentType: request.headers['content-type'], body: request.body };
    const input = readApplicationInput(body, this.writer.web);
    const { application, owner } = await this.sessions.create(principal, input);
    return answer(this.resources.application(application, owner));
  }

  @Get(':id')
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const answer = startAnswer(this.writer, request, reply);
    const { application, owner } = await this.sessions.find(principal, id);
    return answer(this.resources.application(application, owner));
  }

  @Delete(':id')
  @HttpCode(204)
  async delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.sessions.delete(principal, id);
  }

  @Get(':id/me')
  async me(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const answer = startAnswer(this.writer, request, reply);
    const { owner } = await this.sessions.find(principal, id);
    return answer(this.resources.me(id, owner));
  }
}
