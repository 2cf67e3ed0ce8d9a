import { usedSeats } from "../access/seats";
import { ADDON_SEATS_UPDATE } from "../kit/api/limits";
import type { Interval, PlanPrices, SeatUsage, Team, TeamMember, TeamRole } from "../kit/api/types";
import { whole } from "../kit/format";

/** The maximum number of additional seats. */
export const MOST_ADDON_SEATS = ADDON_SEATS_UPDATE.addonSeats.maximum;

export const ROLE_NAMES: Record<TeamRole, string> = { owner: "Owner", admin: "Admin", member: "Member" };

const RANKS: Record<TeamRole, number> = { owner: 0, admin: 1, member: 2 };

/** The owner, then admins, then members; within a role in the order in which they joined. */
export function sorted(members: readonly TeamMember[]): TeamMember[] {
  return [...members].sort((a, b) => RANKS[a.role] - RANKS[b.role]);
}

/** Whether a role may invite, rename the team and set its challenges. */
export function manages(role: TeamRole): boolean {
  return role !== "member";
}

/** What a member with a role may do about another member. */
export function mayDo(role: TeamRole, to: TeamRole): { changeRole: boolean; remove: boolean } {
  const owns = role === "owner" && to !== "owner";
  return { changeRole: owns, remove: owns || (role === "admin" && to === "member") };
}

/** Whether no one pays for the team any more. A team whose payment is only late keeps its plan. */
export function isLapsed({ subscription }: Pick<Team, "subscription">): boolean {
  return subscription.plan !== "shelfwise_team";
}

const INTERVALS: Record<Interval, string> = { annual: "Annual", monthly: "Monthly" };

/** How often the team is paid for; a plan that was not bought is not billed. */
export function intervalOf({ billingInterval }: Team["subscription"]): string {
  return billingInterval ? INTERVALS[billingInterval] : "Not billed";
}

/** How full the seats are: red at 100 % or more, amber at 80 % or more, otherwise green. */
export function fillOf(usage: SeatUsage): "ok" | "warn" | "full" {
  const share = usedSeats(usage) / usage.seatLimit;
  return share >= 1 ? "full" : share >= 0.8 ? "warn" : "ok";
}

/** The composition of the seats, and how many of them invitations hold; "" when there is nothing to say. */
export function seatsHint({ baseSeats, addonSeats, pendingInvitations: held }: SeatUsage): string {
  const base = addonSeats > 0 ? `Base: ${baseSeats} seats + ${addonSeats} addon seats` : "";
  const holds = held === 1 ? "One seat is held by an invitation" : `${whole(held)} seats are held by invitations`;
  return [base, held > 0 && holds].filter(Boolean).join(". ");
}

/** The price of an additional seat. */
export function seatPrice(interval: Interval | null, offer: PlanPrices | undefined, baseSeats: number): string {
  if (interval === "annual" && offer?.seatAnnual) return `${offer.seatAnnual} a year each, from today on`;
  if (interval === "monthly" && offer?.seatMonthly) return `${offer.seatMonthly} a month each, from today on`;
  return `Beyond the ${baseSeats} that come with the plan`;
}

/** The lowest number of additional seats with which everyone keeps their seat. */
export function leastAddonSeats(usage: SeatUsage): number {
  return Math.max(0, usedSeats(usage) - usage.baseSeats);
}

/** Whether a typed text can be an e-mail address; the server checks it properly. */
export function isAddress(email: string): boolean {
  return email.trim() !== "" && email.includes("@");
}
