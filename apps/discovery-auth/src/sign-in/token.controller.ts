import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { diagnosis, PublicOrigins } from '@ringdown/web-server';
import { InterfaceError } from '@ringdown/web-server/errors';
import { BodyLimit } from '@ringdown/web-server/input';
import { ResourceWriter } from '@ringdown/hypermedia';
import { bearerToken } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readForm } from './form.js';
import { sessionOrigin } from './session-origin.js';
import { diagnosisNumber, NO_STORE } from './token-errors.js';
import { required, readGrant } from './token-request.js';
import { TokenService } from './token-service.js';

type FormRequest = FastifyRequest<{ Body: Buffer | undefined }>;

/** A token of a provider of the maximum length, and room for the encoding of forms. */
const MAX_FORM_BYTES = 16 * 1024;

/** The token service (web-interface.md, section 2). Always responds with JSON, because clients send any `Accept` or none. */
@Controller('uc/token')
@BodyLimit(MAX_FORM_BYTES)
export class TokenController {
  constructor(
    private readonly service: TokenService,
    private readonly writer: ResourceWriter,
    private readonly publicOrigins: PublicOrigins,
  ) {}

  @Post()
  @HttpCode(200)
  token(@Req() request: FormRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.answer(request, reply, async (parameters) => {
      return this.service.grant(readGrant(parameters, this.writer.web), sessionOrigin(request));
    });
  }

  /** Signs out (RFC 7009): revokes the token in the form, otherwise the token of the request itself. */
  @Post('revoke')
  @HttpCode(200)
  revoke(@Req() request: FormRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.answer(request, reply, async (parameters) => {
      const own = parameters.has('token') ? undefined : bearerToken(request.headers, this.writer.web);
      await this.service.revoke(own ?? required(parameters, 'token'), sessionOrigin(request));
      return {};
    });
  }

  private async answer(
    request: FormRequest,
    reply: FastifyReply,
    work: (parameters: ReadonlyMap<string, string>) => Promise<object>,
  ): Promise<Buffer> {
    try {
      // Before the form is read: addresses with too many requests are rejected, whatever they send.
      this.service.admit(request.ip);
      const response = await work(await readForm(request.headers['content-type'], request.body));
      void reply.headers({ ...NO_STORE, 'content-type': 'application/json' });
      // As bytes, because Fastify would add a charset to text.
      return Buffer.from(JSON.stringify(response));
    } catch (error) {
      throw error instanceof InterfaceError ? this.explained(error, request) : error;
    }
  }

  /** With the header that describes the error for people. */
  private explained({ row, message, details }: InterfaceError, request: FormRequest): InterfaceError {
    const origin = this.publicOrigins.forHost(request.host);
    const header = diagnosis(this.writer.web, origin, diagnosisNumber(row), message);
    return new InterfaceError(row, { ...details, message, headers: { ...NO_STORE, ...header, ...details.headers } });
  }
}
