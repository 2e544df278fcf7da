import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import type { AlertRule, AlertSilence } from '../api/answers.js';
import { serverClock } from '../api/server-clock.js';
import { CardTable, NoValue } from '../parts/card-table.js';
import { Chevron } from '../parts/chevron.js';
import { filled } from '../parts/filled.js';
import menu from '../parts/menu.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';

import { texts } from '../texts/alerts.js';
import styles from './alerts.module.css';
import { conditionWords } from './measures.js';
import { ruleContent, isOver, silencedFor, silencedUntil } from './rule-content.js';
import { useRules, useSaveRule } from './use-alerts.js';

const SILENCES = [
  { hours: 1, words: texts.silenceFor.hour },
  { hours: 8, words: texts.silenceFor.eightHours },
  { hours: 24, words: texts.silenceFor.day },
  { hours: 168, words: texts.silenceFor.week },
] as const;

/** All rules; each can be silenced here. */
export function RuleTable(): ReactNode {
  return (
    <Section
      title={texts.rules}
      query={useRules()}
      about={(rules) => texts.ruleCount(rules.length)}
      tools={
        <Link className="button primary" href="/alerts/rules/new">
          {texts.newRule}
        </Link>
      }
    >
      {(rules) =>
        rules.length === 0 ? (
          <EmptyNote title={texts.noRules}>{texts.noRulesAdvice}</EmptyNote>
        ) : (
          <CardTable
            label={texts.ruleTable}
            heads={[
              { title: texts.rule },
              { title: texts.firesWhen },
              { title: texts.severity },
              { title: texts.state },
              { title: texts.receivers },
              { title: texts.silence },
            ]}
          >
            {rules.map((rule) => (
              <Row key={rule.id} rule={rule} />
            ))}
          </CardTable>
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
  const severity = rule.severity ?? 'warning';
  const receivers = (rule.receivers ?? []).join(', ');
  const change = (changed: readonly AlertSilence[]): void =>
    save.mutate({ content: { ...ruleContent(rule), silences: changed }, before: rule });
  return (
    <tr>
      <th className={styles['rule']} scope="row" dir="auto">
        <Link href={`/alerts/rules/${encodeURIComponent(rule.id)}`}>{rule.name}</Link>
      </th>
      <td className={styles['condition']}>{conditionWords(rule)}</td>
      <td className={styles[severity]}>{texts.severities[severity]}</td>
      <td>
        {!rule.enabled && texts.disabled}
        {rule.enabled && until === undefined && texts.on}
        {rule.enabled && until !== undefined && filled(texts.silencedUntil, <Time at={until} />)}
      </td>
      {receivers === '' ? <NoValue /> : <td>{receivers}</td>}
      <td>
        {until === undefined ? (
          <MenuTrigger>
            <Button className="button" aria-label={texts.silenceRule(rule.name)} isDisabled={save.isPending}>
              {texts.silenceNow} <Chevron />
            </Button>
            <Popover className={menu['menu'] ?? ''} placement="bottom end">
              <Menu aria-label={texts.silenceRule(rule.name)}>
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
            aria-label={texts.endSilenceOf(rule.name)}
            disabled={save.isPending}
            onClick={() => change(silences.filter((each) => !isFixedNow(each, now)))}
          >
            {texts.endSilence}
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
