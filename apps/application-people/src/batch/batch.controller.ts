import { Controller, HttpCode, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Fault } from '@ringdown/web-server/errors';
import { ResourceWriter } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { Sessions } from '../sessions/sessions.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { batchAnswer, type PartAnswer } from './batch-answer.js';
import { readBatch, type BatchPart } from './batch-body.js';
import { BatchTargets } from './batch-target.js';
import { Outstanding } from './outstanding.js';

/** How many requests of one batch are processed at the same time. */
const CONCURRENT_REQUESTS = 8;
/** The headers that a request in a batch sets itself; all others come from the batch. */
const OWN_HEADERS = ['accept', 'content-type', 'if-match', 'if-none-match'];

interface Request {
  readonly part: BatchPart;
  readonly url: string;
}

/**
 * Several requests in one (web-interface.md, section 9). Each gets the response that it would get alone, for the
 * batch's user.
 */
@Controller('uc/v1/applications/:id/batch')
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
export class BatchController {
  private readonly targets: BatchTargets;
  private readonly outstanding = new Outstanding();

  constructor(
    private readonly sessions: Sessions,
    private readonly writer: ResourceWriter,
    private readonly host: HttpAdapterHost,
  ) {
    this.targets = new BatchTargets(writer.web);
  }

  /** The responses are in the order of the requests, which are processed in any order. */
  @Post()
  @HttpCode(200)
  async batch(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest<{ Body: Buffer | undefined }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    // The body contains requests with their own parameters; the pipe checks those when each request is dispatched.
    const contentType = request.headers['content-type'];
    if (!/^multipart\/batching\b/i.test(contentType ?? '')) {
      throw new Fault('unsupported-media-type', { message: 'Supported media type: multipart/batching.' });
    }
    await this.sessions.find(principal, id);
    const requests = readBatch(contentType, request.body).map((part) => ({
      part,
      url: this.targets.of(part.target, id),
    }));
    const answers = await this.outstanding.during(principal.username, requests.length, () =>
      this.answersTo(requests, request),
    );
    const boundary = randomUUID();
    void reply.headers({ 'content-type': `multipart/batching; boundary="${boundary}"`, 'cache-control': 'no-cache' });
    return batchAnswer(answers, boundary, this.writer.web);
  }

  private async answersTo(requests: readonly Request[], outer: FastifyRequest): Promise<readonly PartAnswer[]> {
    const answers = new Map<number, PartAnswer>();
    const waiting = requests.entries();
    const work = async (): Promise<void> => {
      for (const [at, request] of waiting) answers.set(at, await this.answerTo(request, outer));
    };
    await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, work));
    return requests.flatMap((_, at) => answers.get(at) ?? []);
  }

  private async answerTo({ part, url }: Request, outer: FastifyRequest): Promise<PartAnswer> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { statusCode, headers, rawPayload } = await fastify.inject({
      method: part.method,
      url,
      headers: this.headersFor(part, outer),
      ...(part.body.length === 0 ? {} : { payload: part.body }),
      remoteAddress: outer.ip,
    });
    return { status: statusCode, headers, body: rawPayload };
  }

  /** A part is authorized by the batch; its own authorization is ignored. */
  private headersFor({ headers }: BatchPart, outer: FastifyRequest): Record<string, string> {
    const prefix = this.writer.web.headerPrefix.toLowerCase();
    const own = [...OWN_HEADERS, `${prefix}requiresminresourceversion`].map((name) => [name, headers.get(name)]);
    const inherited = ['host', 'authorization', `${prefix}webticket`].map((name) => [name, outer.headers[name]]);
    return Object.fromEntries([...own, ...inherited].filter(([, value]) => value !== undefined));
  }
}
