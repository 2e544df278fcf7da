import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { Chevron } from '../parts/chevron.js';
import menu from '../parts/menu.module.css';
import { useMedia } from '../parts/use-media.js';
import styles from './shell.module.css';
import type { View } from './views.js';
import { texts } from '../texts/app.js';

const PEOPLE = '/people';
/** As many as a phone of 320 pixels has room for, beside the menu. */
const ON_A_PHONE = 4;

interface NavigationProps {
  readonly views: readonly View[];
  /** Unread messages and open invitations, beside the view of people. */
  readonly waiting: number;
}

/** Links to the views; on a narrow screen the later ones are in a menu. */
export function Navigation({ views, waiting }: NavigationProps): ReactNode {
  const [here, navigate] = useLocation();
  const isNarrow = useMedia('(max-width: 960px)');
  const labelled = views.filter(({ label }) => label !== undefined);
  // A menu with one entry would take as much room as the entry.
  const shown = isNarrow && labelled.length > ON_A_PHONE + 1 ? ON_A_PHONE : labelled.length;
  const inMenu = labelled.slice(shown);
  const hasPeople = inMenu.some(({ path }) => path === PEOPLE);
  const current = inMenu.find(({ path }) => path === here);
  return (
    <nav className={styles['nav']} aria-label={texts.views}>
      {labelled.slice(0, shown).map(({ path, label }) => (
        <Link
          key={path}
          href={path}
          className={(isHere) => linkClass(isHere)}
          aria-current={here === path ? 'page' : undefined}
          data-label={label}
        >
          <span>
            {label}
            {path === PEOPLE && <Badge count={waiting} />}
          </span>
        </Link>
      ))}
      {inMenu.length > 0 && (
        <MenuTrigger>
          <Button className={`${linkClass(current !== undefined)} ${styles['more']}`}>
            <span aria-hidden="true">{current?.label ?? texts.more}</span>
            <span className="unseen">
              {current?.label === undefined ? texts.moreViews : texts.currentAndMore(current.label)}
            </span>
            {hasPeople && <Badge count={waiting} />} <Chevron />
          </Button>
          <Popover className={menu['menu'] ?? ''} placement="bottom end">
            <Menu aria-label={texts.moreViews}>
              {inMenu.map(({ path, label }) => (
                <MenuItem key={path} className={menu['item'] ?? ''} onAction={() => navigate(path)}>
                  {label}
                  {path === PEOPLE && <Badge count={waiting} />}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </nav>
  );
}

function Badge({ count }: { readonly count: number }): ReactNode {
  const shown = count > 99 ? '99+' : `${count}`;
  return (
    count > 0 && (
      <span className={styles['badge']}>
        <span className="unseen">, {texts.unread(shown)}</span>
        <span aria-hidden="true">{shown}</span>
      </span>
    )
  );
}

function linkClass(isHere: boolean): string {
  return [styles['link'], isHere ? styles['here'] : undefined].filter(Boolean).join(' ');
}
