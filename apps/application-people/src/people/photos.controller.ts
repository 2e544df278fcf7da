import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import { CurrentPrincipal, GuestsWelcome, ShowsPhotos, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { crc32 } from 'node:zlib';
import { Sessions } from '../sessions/sessions.js';
import { answersNotModified } from '../http/answers.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { ReadableContacts } from '../readable-contacts/readable-contacts.js';
import { NEUTRAL_PHOTO } from './neutral-photo.js';

/** How long a client may use its copy without a new request, seconds. */
const MAX_AGE_SECONDS = 3600;

const photoNotFound: ErrorRow = { status: 404, code: 'NotFound', message: 'The person has no photo.' };

/** Photos of people, in the size that the directory has (web-interface.md, section 5), for requests and for `<img>`. */
@Controller('uc/v1/applications/:id/photos')
@ShowsPhotos()
@GuestsWelcome()
@UseGuards(TokenGuard, ServedVersionGuard)
export class PhotosController {
  constructor(
    private readonly sessions: Sessions,
    private readonly readable: ReadableContacts,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get(':address')
  async photo(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | undefined> {
    const { person } = await this.readable.find(await this.sessions.find(principal, id), address);
    const photo = person === undefined ? NEUTRAL_PHOTO : await this.directory.photoOf(person);
    if (photo === undefined) throw new InterfaceError(photoNotFound);
    void reply.headers({
      'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
      expires: new Date(Date.now() + MAX_AGE_SECONDS * 1000).toUTCString(),
    });
    if (answersNotModified(request, reply, String(crc32(photo.bytes)))) return undefined;
    void reply.header('content-type', photo.contentType);
    return photo.bytes;
  }
}
