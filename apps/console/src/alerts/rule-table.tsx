import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import type { AlertRule, AlertSilence } from '../api/answers.js';
import { serverClock } from '../api/server-clock.js';
import { Chevron } from '../parts/chevron.js';
import { formatCount } from '../parts/format.js';
import menu from '../parts/menu.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import { WideTable } from '../parts/wide-table.js';
import styles from './alerts.module.css';
import { conditionWords } from './measures.js';
import { contentOf, isOver, silencedFor, silencedUntil } from './rule-content.js';
import { useRules, useSaveRule } from './use-alerts.js';

const SILENCES = [
  { hours: 1, words: 'for 1 hour' },
  { hours: 8, words: 'for 8 hours' },
  { hours: 24, words: 'for 1 day' },
  { hours: 168, words: 'for 1 week' },
] as const;

/** All rules; each can be silenced here. */
export function RuleTable(): ReactNode {
  return (
    <Section title="Rules" query={useRules()} about={(rules) => formatCount(rules.length, 'rule')}>
      {(rules) =>
        rules.length === 0 ? (
          <EmptyNote title="No rules yet.">
            A rule watches the calls of a site, a trunk or a front end, and notifies receivers.
          </EmptyNote>
        ) : (
          <WideTable label="Table of rules">
            <thead>
              <tr>
                <th>Rule</th>
                <th>Fires when</th>
                <th>Severity</th>
                <th>State</th>
                <th>Receivers</th>
                <th>Silence</th>
              </tr>
            </thead>
            <tbody>
              {rules.map((rule) => (
                <Row key={rule.id} rule={rule} />
              ))}
            </tbody>
          </WideTable>
        )
      }
    </Section>
  );
}

function Row({ rule }: { readonly rule: AlertRule }): ReactNode {
  const save = useSaveRule();
  const now = serverClock.now();
  const silences = rule.silences ?? [];
  const until = silencedUntil(silences, now);
  const change = (changed: readonly AlertSilence[]): void =>
    save.mutate({ content: { ...contentOf(rule), silences: changed }, before: rule });
  return (
    <tr>
      <th scope="row" dir="auto">
        <Link href={`/alerts/rules/${encodeURIComponent(rule.id)}`}>{rule.name}</Link>
      </th>
      <td>{conditionWords(rule)}</td>
      <td className={styles[rule.severity ?? 'warning']}>{rule.severity}</td>
      <td>
        {rule.enabled === false && 'disabled'}
        {rule.enabled !== false && until === undefined && 'on'}
        {rule.enabled !== false && until !== undefined && (
          <>
            silenced until <Time at={until} />
          </>
        )}
      </td>
      <td>{rule.receivers?.join(', ') || '–'}</td>
      <td>
        {until === undefined ? (
          <MenuTrigger>
            <Button className="button" aria-label={`Silence ${rule.name}`} isDisabled={save.isPending}>
              Silence <Chevron />
            </Button>
            <Popover className={menu['menu'] ?? ''} placement="bottom end">
              <Menu aria-label={`Silence ${rule.name}`}>
                {SILENCES.map(({ hours, words }) => (
                  <MenuItem
                    key={hours}
                    className={menu['item'] ?? ''}
                    onAction={() => change(silencedFor(silences, hours, serverClock.now()))}
                  >
                    {words}
                  </MenuItem>
                ))}
              </Menu>
            </Popover>
          </MenuTrigger>
        ) : (
          <button
            className="button"
            type="button"
            aria-label={`End the silence of ${rule.name}`}
            disabled={save.isPending}
            onClick={() => change(silences.filter((each) => !isFixedNow(each, now)))}
          >
            End silence
          </button>
        )}
        {save.error !== null && (
          <span className={styles['critical']} role="alert">
            {save.error.message}
          </span>
        )}
      </td>
    </tr>
  );
}

function isFixedNow(silence: AlertSilence, now: number): boolean {
  return silence.days === undefined && Date.parse(silence.from) <= now && !isOver(silence, now);
}
