import type { AlertPage, AlertWithNotices } from '@ringdown/answers/alerts';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import { Cursors } from '../cursor.js';
import { fromDatabase } from '../database-fault.js';
import { NoQuery, PageQuery } from '../../search/filter/limit-query.js';
import { OperatorsOnly } from '../operator-guard.js';
import { OneOf, ShortText } from '../../search/filter/query-fields.js';
import { queryErrors } from '../../errors.js';
import { AlertNotices } from '../../alerts/delivery/alert-notices.js';
import { Alerts, type AlertPosition } from '../../alerts/alerts.js';

/** Parameters of `GET /api/alerts`. */
class AlertListQuery extends PageQuery {
  @ShortText('the id of one rule', 100)
  rule?: string;

  @OneOf(['true', 'false'])
  open?: 'true' | 'false';
}

/** The history of alerts. */
@Controller('api/alerts')
@OperatorsOnly()
export class AlertsController {
  constructor(
    private readonly alerts: Alerts,
    private readonly notices: AlertNotices,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  async list(@Query() { limit, cursor, rule: ruleId, open: wanted }: AlertListQuery): Promise<AlertPage> {
    const list = JSON.stringify(['alerts', ruleId, wanted]);
    const after = cursor === undefined ? undefined : positionIn(this.cursors.name(cursor, list));
    const open = wanted === undefined ? undefined : wanted === 'true';
    const [found, openCount] = await fromDatabase(
      Promise.all([this.alerts.page({ ruleId, open, limit: limit + 1, after }), this.alerts.countOpen(ruleId)]),
    );
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return {
      items,
      next: last === undefined ? null : this.cursors.ofName(`${last.startsAt} ${last.id}`, list),
      openCount,
    };
  }

  @Get(':id')
  async one(@Param('id') id: string, @Query() _query: NoQuery): Promise<AlertWithNotices> {
    // PostgreSQL does not allow this character in texts.
    const alert = id.includes('\0') ? undefined : await fromDatabase(this.alerts.find(id));
    if (alert === undefined) throw new InterfaceError(queryErrors.noSuchAlert);
    return {
      ...alert,
      notices: await fromDatabase(this.notices.ofAlert(alert.id)),
    };
  }
}

/** From a cursor of our own. */
function positionIn(text: string): AlertPosition {
  const [at = '', id = ''] = text.split(' ', 2);
  return { startsAt: new Date(at), id };
}
