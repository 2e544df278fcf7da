import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { requestPrincipal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { CallExport, type ExportFormat } from './call-export.js';
import { OperatorFilters } from './filters/operator-filters.js';
import { ExportQuery } from '../search/query/call-list-query.js';
import { isShown } from '../search/names/identities.js';
import { OperatorsOnly } from './operator-guard.js';

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

@Controller('api')
@OperatorsOnly()
export class ExportsController {
  constructor(
    private readonly exports: CallExport,
    private readonly filters: OperatorFilters,
  ) {}

  @Get('calls.csv')
  csv(@Query() query: ExportQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send('csv', query, request, reply);
  }

  @Get('calls.ndjson')
  ndjson(@Query() query: ExportQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.send('ndjson', query, request, reply);
  }

  private async send(
    format: ExportFormat,
    query: ExportQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const exportRequest = {
      filter: this.filters.of(query, request),
      sort: query.sort,
      format,
      isShown: isShown(request, query.identities),
      username: requestPrincipal(request).username,
    };
    // Only the head is requested; the length of the body is not known.
    const body = request.method === 'HEAD' ? Readable.from([]) : await this.exports.open(exportRequest);
    void reply
      .header('content-type', MEDIA_TYPES[format])
      .header('content-disposition', `attachment; filename="calls.${format}"`)
      .header('cache-control', 'no-store')
      .send(body);
  }
}
