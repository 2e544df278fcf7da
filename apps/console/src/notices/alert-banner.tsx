import { useState, type ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { callsPath } from '../alerts/alert-link.js';
import { summaryWords } from '../alerts/summary-words.js';
import { useAlerts } from '../alerts/use-alerts.js';
import { Chevron } from '../parts/chevron.js';
import menu from '../parts/menu.module.css';
import { useMedia } from '../parts/use-media.js';
import { texts } from '../texts/notices.js';
import styles from './notices.module.css';
import { useAlertNotifications } from './use-alert-notifications.js';
import { worstFirst } from './worst-first.js';

/** What fires now, above every view but that of the alerts, until it is hidden or resolved. */
export function AlertBanner(): ReactNode {
  const [here] = useLocation();
  const { data } = useAlerts({ open: 'true' }, true);
  const [hidden, hide] = useState<ReadonlySet<string>>(new Set());
  const { canAllow, allow } = useAlertNotifications(data?.items);
  const alerts = worstFirst(data?.items ?? []).filter(({ id }) => !hidden.has(id));
  // The list has the newest only.
  const notListed = data === undefined ? 0 : data.openCount - data.items.length;
  const more = alerts.length - 1 + notListed;
  const [worst] = alerts;
  const isNarrow = useMedia('(max-width: 640px)');
  if (worst === undefined || here === '/alerts') return null;
  const words = summaryWords(worst);
  const actions: readonly Action[] = [
    { words: texts.viewCalls, leadsTo: callsPath(worst.link) },
    { words: more === 0 ? texts.allAlerts : texts.moreAlerts(more), leadsTo: '/alerts' },
    ...(canAllow ? [{ words: texts.allow, does: allow }] : []),
    { words: texts.dismiss, does: () => hide(new Set([...hidden, ...alerts.map(({ id }) => id)])) },
  ];
  return (
    <div className={`${styles['banner']} ${styles[worst.severity]}`} role="region" aria-label={texts.firing}>
      <p role="status" title={isNarrow ? words : undefined}>
        <strong>{worst.ruleName}</strong>: {words}
      </p>
      {isNarrow ? <ActionMenu actions={actions} /> : <ActionButtons actions={actions} />}
    </div>
  );
}

/** A link to another view, or a button. */
type Action =
  { readonly words: string; readonly leadsTo: string } | { readonly words: string; readonly does: () => void };

function ActionButtons({ actions }: { readonly actions: readonly Action[] }): ReactNode {
  return (
    <span className={styles['buttons']}>
      {actions.map((action) =>
        'leadsTo' in action ? (
          <Link key={action.words} href={action.leadsTo}>
            {action.words}
          </Link>
        ) : (
          <button key={action.words} className="button" type="button" onClick={action.does}>
            {action.words}
          </button>
        ),
      )}
    </span>
  );
}

/** On a phone the banner is one line: it would cover a third of the window otherwise. */
function ActionMenu({ actions }: { readonly actions: readonly Action[] }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <MenuTrigger>
      <Button className="button" aria-label={texts.actions}>
        <Chevron />
      </Button>
      <Popover className={menu['menu'] ?? ''} placement="bottom end">
        <Menu aria-label={texts.actions}>
          {actions.map((action) => (
            <MenuItem
              key={action.words}
              className={menu['item'] ?? ''}
              onAction={() => ('leadsTo' in action ? navigate(action.leadsTo) : action.does())}
            >
              {action.words}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
