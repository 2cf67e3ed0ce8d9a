import { expect, it } from "vitest";
import type { PlanPrices, SeatUsage, TeamMember, TeamRole } from "../kit/api/types";
import { fillOf, intervalOf, isAddress, isLapsed, leastAddonSeats, mayDo, seatPrice, seatsHint, sorted } from "./model";

const usage = (currentMembers: number, pendingInvitations: number, addonSeats = 0, baseSeats = 10): SeatUsage => {
  const seatLimit = baseSeats + addonSeats;
  const availableSeats = Math.max(0, seatLimit - currentMembers - pendingInvitations);
  return { currentMembers, pendingInvitations, seatLimit, availableSeats, addonSeats, baseSeats };
};

const member = (id: number, role: TeamRole): TeamMember => ({
  id,
  userId: id,
  role,
  joinedAt: "2025-03-02T10:00:00Z",
  user: { displayName: `P${id}`, email: `p${id}@example.org` },
});

it("the owner comes first, then admins, then members, each as they joined", () => {
  const mixed = [member(1, "member"), member(2, "admin"), member(3, "owner"), member(4, "member"), member(5, "admin")];
  expect(sorted(mixed).map(({ id }) => id)).toEqual([3, 2, 5, 1, 4]);
});

it.each([
  ["owner", "owner", false, false],
  ["owner", "admin", true, true],
  ["owner", "member", true, true],
  ["admin", "owner", false, false],
  ["admin", "admin", false, false],
  ["admin", "member", false, true],
  ["member", "member", false, false],
] as const)("a team's %s to its %s: change the role %s, remove %s", (role, to, changeRole, remove) => {
  expect(mayDo(role, to)).toEqual({ changeRole, remove });
});

it.each([
  [7, 0, "ok"],
  [7, 1, "warn"],
  [8, 0, "warn"],
  [9, 0, "warn"],
  [9, 1, "full"],
  [12, 0, "full"],
] as const)("%i members and %i invitations on ten seats are %s", (members, held, fill) => {
  expect(fillOf(usage(members, held))).toBe(fill);
});

it.each([
  [usage(9, 1, 2), "Base: 10 seats + 2 addon seats. One seat is held by an invitation"],
  [usage(3, 2, 1, 6), "Base: 6 seats + 1 addon seats. 2 seats are held by invitations"],
  [usage(9, 0, 2), "Base: 10 seats + 2 addon seats"],
  [usage(3, 1), "One seat is held by an invitation"],
  [usage(3, 0), ""],
])("what the seats are made of: %o", (seats, hint) => {
  expect(seatsHint(seats)).toBe(hint);
});

it("an additional seat has the operator's price, and none when nothing is billed", () => {
  const offer = { seatMonthly: "0,89 €", seatAnnual: "9 €" } as PlanPrices;
  expect(seatPrice("annual", offer, 10)).toBe("9 € a year each, from today on");
  expect(seatPrice("monthly", offer, 6)).toBe("0,89 € a month each, from today on");
  expect(seatPrice(null, offer, 10)).toBe("Beyond the 10 that come with the plan");
  expect(seatPrice("annual", undefined, 10)).toBe("Beyond the 10 that come with the plan");
});

it("the minimum of additional seats keeps every seat in use", () => {
  expect(leastAddonSeats(usage(9, 3, 4))).toBe(2);
  expect(leastAddonSeats(usage(3, 0, 4))).toBe(0);
});

it("a late payment keeps the plan, an ended one does not", () => {
  const subscription = { status: "past_due", billingInterval: "annual", plan: "shelfwise_team" } as const;
  expect(isLapsed({ subscription })).toBe(false);
  expect(isLapsed({ subscription: { ...subscription, status: "canceled", plan: "reader" } })).toBe(true);
  expect(intervalOf(subscription)).toBe("Annual");
  expect(intervalOf({ ...subscription, billingInterval: null })).toBe("Not billed");
});

it.each([
  ["greta@example.org", true],
  ["", false],
  ["  ", false],
  ["greta.example.org", false],
])("%j to invite: %s", (typed, can) => {
  expect(isAddress(typed)).toBe(can);
});
