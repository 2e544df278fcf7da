import type { Capture, Captures as CaptureList } from '@ringdown/answers/messages';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { uploadFeed } from '@ringdown/contracts/uploads';
import { requestPrincipal } from '@ringdown/token-validation';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { openBody, ReadText, StreamedBody } from '@ringdown/web-server/input';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CaptureReport } from '../captures/capture-report.js';
import { Captures } from '../captures/captures.js';
import { queryErrors } from '../errors.js';
import { isoTime } from '../calls/streams/report-source.js';
import { fromBus } from './bus-fault.js';
import { IdentityViews } from '../search/names/identities.js';
import { OperatorsOnly } from './operator-guard.js';

const MEDIA_TYPES = new Set([
  'application/vnd.tcpdump.pcap',
  'application/octet-stream',
  'application/x-pcapng',
  'application/gzip',
  'application/zstd',
]);
const WRONG_TYPE = `The body must be the file itself, and its Content-Type one of ${[...MEDIA_TYPES].join(', ')}.`;
const MAX_NAME = 64;

class CaptureQuery {
  @ReadText('1 to 64 letters, digits, dots, hyphens and underscores, a letter or digit first', nameIn, 'text')
  frontEnd?: string;
}

@Controller('api/captures')
@OperatorsOnly()
export class CapturesController {
  constructor(
    private readonly captures: Captures,
    private readonly identities: IdentityViews,
  ) {}

  @Post()
  @HttpCode(202)
  @StreamedBody()
  async add(
    @Query() { frontEnd }: CaptureQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Capture> {
    const { username, roles } = requestPrincipal(request);
    // Who sees only tokens could upload a guessed name, and find the calls of that user by the token that it gets.
    if (!roles.includes('reveal')) throw new InterfaceError(queryErrors.mayNotUpload);
    const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
    if (!MEDIA_TYPES.has(type.trim().toLowerCase())) throw new Fault('unsupported-media-type', { message: WRONG_TYPE });
    const source = { uploader: username, frontEnd: uploadFeed(username, frontEnd) };
    const report = await fromBus(this.captures.add(source, (limit) => openBody(request, limit)));
    void reply.header('location', `/api/captures/${report.id}`);
    return this.shown(report, request);
  }

  @Get()
  async list(@Req() request: FastifyRequest): Promise<CaptureList> {
    const reports = await fromBus(this.captures.list());
    return { items: await this.identities.of(request).all(reports.map(captureItem)) };
  }

  @Get(':id')
  async one(@Param('id') id: string, @Req() request: FastifyRequest): Promise<Capture> {
    return this.shown(await fromBus(this.captures.report(id)), request);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id') id: string): Promise<void> {
    return fromBus(this.captures.remove(id));
  }

  /** Names of front ends and reasons may contain names of users. */
  private async shown(report: CaptureReport, request: FastifyRequest): Promise<Capture> {
    const item = captureItem(report);
    const [shown = item] = await this.identities.of(request).all([item]);
    return shown;
  }
}

function captureItem({ receivedAt, ...report }: CaptureReport): Capture {
  return { ...report, receivedAt: isoTime(receivedAt) };
}

function nameIn(text: string): string | undefined {
  return text.length <= MAX_NAME && /^[a-z\d][\w.-]*$/i.test(text) ? text : undefined;
}
