import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useServices, useSignedIn } from './services.js';
import styles from './tools.module.css';

/** Who is signed in, and the way out. */
export function AccountMenu(): ReactNode {
  const { session } = useServices();
  const { user, roles } = useSignedIn();
  return (
    <MenuTrigger>
      <Button className={styles['tool'] ?? ''} aria-label={`Signed in as ${user}`}>
        <span className={styles['name']}>{user}</span>
        <svg
          width="10"
          height="10"
          viewBox="0 0 10 10"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <path d="M2 3.5 5 6.5 8 3.5" />
        </svg>
      </Button>
      <Popover className={styles['menu'] ?? ''} placement="bottom end">
        <div className={styles['who']}>
          <div>{user}</div>
          <div className="muted">{roles.length === 0 ? 'no role' : roles.join(', ')}</div>
        </div>
        <Menu aria-label="Account">
          <MenuItem className={styles['item'] ?? ''} onAction={() => void session.signOut()}>
            Sign out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
