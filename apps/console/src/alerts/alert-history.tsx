import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Alert } from '../api/answers.js';
import type { Query } from '../api/query-text.js';
import { CardTable } from '../parts/card-table.js';
import { formatNumber } from '../parts/format.js';
import forms from '../parts/form.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import table from '../parts/wide-table.module.css';

import { texts } from '../texts/alerts.js';
import { callsPath } from './alert-link.js';
import styles from './alerts.module.css';
import { scopeWords, valueWords } from './measures.js';
import { Notices } from './notices.js';
import { summaryWords } from './summary-words.js';
import { useAlerts } from './use-alerts.js';

interface AlertHistoryProps {
  readonly title: string;
  readonly query: Query;
  readonly tools?: ReactNode;
}

/** Alerts, the newest first, page by page. */
export function AlertHistory({ title, query, tools }: AlertHistoryProps): ReactNode {
  /** Where the pages up to this one begin, for one query. */
  const [position, setPosition] = useState<{ readonly of: string; readonly cursors: readonly string[] }>({
    of: '',
    cursors: [],
  });
  const key = JSON.stringify(query);
  const cursors = position.of === key ? position.cursors : [];
  const turn = (to: readonly string[]): void => setPosition({ of: key, cursors: to });
  const alerts = useAlerts({ ...query, cursor: cursors.at(-1) });
  const next = alerts.data?.next ?? undefined;
  return (
    <Section title={title} query={alerts} tools={tools}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyNote title={texts.noAlerts} />
        ) : (
          <>
            <CardTable
              label={texts.tableOf(title)}
              heads={[
                { title: texts.state },
                { title: texts.rule },
                { title: texts.scope },
                { title: texts.value, isNumber: true },
                { title: texts.calls, isNumber: true },
                { title: texts.since },
                { title: texts.until },
                { title: texts.notifications },
              ]}
            >
              {items.map((alert) => (
                <Row key={alert.id} alert={alert} />
              ))}
            </CardTable>
            <nav className={forms['pages']} aria-label={texts.pagesOf(title)} hidden={cursors.length === 0 && !next}>
              {cursors.length > 0 && (
                <button className="button" type="button" onClick={() => turn(cursors.slice(0, -1))}>
                  {texts.newer}
                </button>
              )}
              {next !== undefined && (
                <button
                  className="button"
                  type="button"
                  disabled={alerts.isPlaceholderData}
                  onClick={() => turn([...cursors, next])}
                >
                  {texts.older}
                </button>
              )}
            </nav>
          </>
        )
      }
    </Section>
  );
}

function Row({ alert }: { readonly alert: Alert }): ReactNode {
  const { id, ruleId, ruleName, severity, scope, value, unit, calls, link, startsAt, endsAt } = alert;
  return (
    <tr>
      <td>
        {endsAt === null ? <strong className={styles[severity]}>{texts.firing[severity]}</strong> : texts.resolved}
      </td>
      <th scope="row" dir="auto">
        <Link href={`/alerts/rules/${encodeURIComponent(ruleId)}`}>{ruleName}</Link>
      </th>
      <td dir="auto">{scopeWords(scope)}</td>
      <td className={table['number']} title={summaryWords(alert)}>
        {valueWords(unit, value)}
      </td>
      <td className={table['number']}>
        <Link href={callsPath(link)} aria-label={texts.callsBehind(calls, ruleName)}>
          {formatNumber(calls)}
        </Link>
      </td>
      <td>
        <Time at={startsAt} />
      </td>
      <td>
        <Time at={endsAt} />
      </td>
      <td>
        <Notices alertId={id} />
      </td>
    </tr>
  );
}
