import { useIsPrivate } from "../access/site";
import type { ListedUser } from "../kit/api/types";
import { IconButton } from "../kit/ui/Button";
import { Menu, MenuItem } from "../kit/ui/Menu";

/** The actions on a user. */
export interface UserActions {
  onPlan: (user: ListedUser) => void;
  /** Makes a user an operator, or an operator a user. */
  onRole: (user: ListedUser) => void;
  /** Makes a link to a new password. */
  onLink: (user: ListedUser) => void;
  onDisable: (user: ListedUser) => void;
  onEnable: (user: ListedUser) => void;
  /** Shows what the account stores, beside its quotas. */
  onUsage: (user: ListedUser) => void;
}

interface UserMenuProps extends UserActions {
  user: ListedUser;
  compact: boolean;
}

export function UserMenu({ user, compact, onPlan, onRole, onLink, onDisable, onEnable, onUsage }: UserMenuProps) {
  const isPrivate = useIsPrivate();
  return (
    <Menu trigger={<IconButton icon="dots" label={`Actions for ${user.displayName}`} compact={compact} />}>
      {!isPrivate && (
        <MenuItem icon="tag" onSelect={() => onPlan(user)}>
          Change plan
        </MenuItem>
      )}
      <MenuItem icon="people" onSelect={() => onRole(user)}>
        {user.role === "admin" ? "Make a user" : "Make an operator"}
      </MenuItem>
      <MenuItem icon="key" onSelect={() => onLink(user)}>
        Password link
      </MenuItem>
      <MenuItem icon="list" onSelect={() => onUsage(user)}>
        Usage
      </MenuItem>
      <MenuItem icon="lock" onSelect={() => (user.disabled ? onEnable(user) : onDisable(user))}>
        {user.disabled ? "Enable" : "Disable"}
      </MenuItem>
    </Menu>
  );
}
