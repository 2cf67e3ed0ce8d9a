import { useIsPrivate } from "../access/site";
import { PLAN_NAMES } from "../access/subscription";
import type { Plan } from "../kit/api/types";
import { Select } from "../kit/ui/Field";
import { SearchField } from "../kit/ui/SearchField";
import css from "./Admin.module.css";
import type { UsersFilter } from "./model";

const PLANS: { value: UsersFilter["plan"]; label: string }[] = [
  { value: "all", label: "All plans" },
  ...(Object.keys(PLAN_NAMES) as Plan[]).map((plan) => ({ value: plan, label: PLAN_NAMES[plan] })),
];

const ROLES: { value: UsersFilter["role"]; label: string }[] = [
  { value: "all", label: "All roles" },
  { value: "admin", label: "admin" },
  { value: "user", label: "user" },
  { value: "disabled", label: "disabled" },
];

interface UsersBarProps {
  filter: UsersFilter;
  onChange: (part: Partial<UsersFilter>) => void;
}

/** The filter of the user list. */
export function UsersBar({ filter, onChange }: UsersBarProps) {
  const isPrivate = useIsPrivate();
  return (
    <div className={css.usersBar}>
      <SearchField
        className={css.search}
        look="framed"
        label="Search users"
        placeholder="Name or email"
        value={filter.search}
        onSearch={(search) => onChange({ search })}
      />
      {!isPrivate && (
        <Select
          className={css.choice}
          aria-label="Plan"
          options={PLANS}
          value={filter.plan}
          onChoose={(plan) => onChange({ plan })}
        />
      )}
      <Select
        className={css.choice}
        aria-label="Role"
        options={ROLES}
        value={filter.role}
        onChoose={(role) => onChange({ role })}
      />
    </div>
  );
}
