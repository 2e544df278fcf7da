import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link, useLocation } from 'wouter';
import { Chevron } from '../parts/chevron.js';
import menu from '../parts/menu.module.css';
import { useMedia } from '../parts/use-media.js';
import styles from './shell.module.css';
import type { View } from './views.js';

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
    <nav className={styles['nav']} aria-label="Views">
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
            {current === undefined ? 'More' : current.label}
            <span className="unseen">{current === undefined ? ' views' : ', more views'}</span>
            {hasPeople && <Badge count={waiting} />} <Chevron />
          </Button>
          <Popover className={menu['menu'] ?? ''} placement="bottom end">
            <Menu aria-label="More views">
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
  return (
    count > 0 && (
      <span className={styles['badge']}>
        <span className="unseen">, </span>
        {count > 99 ? '99+' : count}
        <span className="unseen"> unread</span>
      </span>
    )
  );
}

function linkClass(isHere: boolean): string {
  return [styles['link'], isHere ? styles['here'] : undefined].filter(Boolean).join(' ');
}
