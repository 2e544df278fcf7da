import type { Caller } from '@ringdown/answers/people';
import { Controller, Get, Header, Query } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '@ringdown/token-validation';
import { isoTime } from '../calls/streams/report-source.js';
import { NoQuery } from '../search/filter/limit-query.js';
import { SignedInOnly } from './operator-guard.js';

/** The owner of the token; a client learns here what it can offer, instead of trying. */
@Controller('api/me')
@SignedInOnly()
export class CallerController {
  @Get()
  @Header('cache-control', 'no-store')
  read(@CurrentPrincipal() principal: Principal, @Query() _query: NoQuery): Caller {
    const { username, sipAddress, roles, expiresAt } = principal;
    return { username, sipAddress, roles, expiresAt: isoTime(expiresAt) };
  }
}
