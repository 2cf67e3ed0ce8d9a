import { usePreferences } from "../access/preferences";
import { useCan, useTeam } from "../access/subscription";
import type { Preferences } from "../kit/api/types";
import { hemisphereOf } from "../kit/hemisphere";
import { paths } from "../kit/paths";
import { useTheme } from "../kit/theme";
import { Banner } from "../kit/ui/Alert";
import { Block } from "../kit/ui/Block";
import { Button, LinkButton } from "../kit/ui/Button";
import { Fetched } from "../kit/ui/Fetched";
import { Select } from "../kit/ui/Field";
import { Setting, Settings, SliderSetting, SwitchSetting } from "../kit/ui/Settings";
import { FORMAT_WORDS, METRIC_WORDS, optionsOf, valuesOf } from "../kit/words";
import { useChangePreferences } from "./change";
import css from "./PreferencesTab.module.css";
import { SharingSetting } from "./SharingSetting";
import { useDisplay, useResetDisplay, useSlide } from "./useDisplay";

/** The reader's preferences: ratings, seasons, streak and goals, theme, page filter, defaults, time zone. */
export function PreferencesTab() {
  return (
    <Fetched
      query={usePreferences()}
      waiting="Fetching your preferences"
      failed="Your preferences could not be loaded."
    >
      {(saved) => <Loaded saved={saved} />}
    </Fetched>
  );
}

function Loaded({ saved }: { saved: Preferences }) {
  const can = useCan();
  const { pending, change } = useChangePreferences();
  const preferences = { ...saved, ...pending };
  const locked = !(can("custom_themes") && can("custom_defaults") && can("beta_features"));
  const parts = { preferences, change };
  return (
    <>
      {locked && (
        <Banner
          action={
            <LinkButton size="compact" href={paths.pricing()}>
              Upgrade
            </LinkButton>
          }
        >
          Custom themes, defaults and beta features come with Shelfwise Plus.
        </Banner>
      )}
      <Reading {...parts} />
      <Appearance {...parts} />
      <Defaults {...parts} />
      <Sharing />
      <Beta {...parts} />
    </>
  );
}

interface PartProps {
  preferences: Preferences;
  change: (changes: Partial<Preferences>, done?: string) => void;
}

const STEPS = [
  { value: "1", label: "Whole points" },
  { value: "0.5", label: "Half points (quarter stars)" },
] as const;

const STREAKS = [
  { value: "off", label: "Off" },
  { value: "days", label: "Days" },
  { value: "weeks", label: "Weeks" },
] as const;

/** A day may begin after midnight. */
const HOURS = Array.from({ length: 7 }, (_, hour) => ({
  value: String(hour),
  label: hour === 0 ? "Midnight" : `${hour} o’clock`,
}));

const HEMISPHERE_NAMES = { north: "Northern", south: "Southern" } as const;

function Reading({ preferences, change }: PartProps) {
  const byZone = HEMISPHERE_NAMES[hemisphereOf(preferences.timezone)];
  const hemispheres = [
    { value: "zone", label: `By time zone (${byZone})` },
    { value: "north", label: HEMISPHERE_NAMES.north },
    { value: "south", label: HEMISPHERE_NAMES.south },
  ] as const;
  return (
    <Block title="Reading">
      <Settings>
        <Setting
          id="preference-rating-step"
          name="Ratings in"
          hint="Half points are quarters of a star elsewhere. Nothing that is rated changes."
        >
          <Select
            id="preference-rating-step"
            options={STEPS}
            value={preferences.ratingStep === 0.5 ? "0.5" : "1"}
            onChoose={(step) => change({ ratingStep: Number(step) })}
          />
        </Setting>
        <Setting
          id="preference-hemisphere"
          name="Hemisphere"
          hint="For seasons in dates: spring 2020 is March to May in the north."
        >
          <Select
            id="preference-hemisphere"
            options={hemispheres}
            value={preferences.hemisphere ?? "zone"}
            onChoose={(chosen) => change({ hemisphere: chosen === "zone" ? null : chosen })}
          />
        </Setting>
        <Setting
          id="preference-streak"
          name="Streak"
          hint="Counts days or weeks in a row on which you noted something."
        >
          <Select
            id="preference-streak"
            options={STREAKS}
            value={preferences.streak}
            onChoose={(streak) => change({ streak })}
          />
        </Setting>
        <Setting
          id="preference-day-starts-at"
          name="A day begins at"
          hint="Reading before this hour counts for the previous day."
        >
          <Select
            id="preference-day-starts-at"
            options={HOURS}
            value={String(preferences.dayStartsAt)}
            onChoose={(hour) => change({ dayStartsAt: Number(hour) })}
          />
        </Setting>
        <SwitchSetting
          id="preference-finish-by-itself"
          name="Finish by itself"
          hint="A book that a device reports as finished is finished on that day, without asking."
          checked={preferences.finishByItself}
          onSwitch={(finishByItself) => change({ finishByItself })}
        />
        <SwitchSetting
          id="preference-goal-pace"
          name="Say when behind a goal"
          hint="Off, a goal shows only what is done."
          checked={preferences.goalPace}
          onSwitch={(goalPace) => change({ goalPace })}
        />
      </Settings>
    </Block>
  );
}

function Appearance({ change }: PartProps) {
  const [theme, choose] = useTheme();
  const locked = !useCan()("custom_themes");
  const display = useDisplay();
  const slide = useSlide();
  const reset = useResetDisplay();
  const slider = (key: keyof typeof display, name: string, max: number) => (
    <SliderSetting
      id={`preference-${key}`}
      name={name}
      max={max}
      value={display[key]}
      onSlide={(value) => slide(key, value)}
      locked={locked}
    />
  );
  return (
    <Block title="Appearance">
      <Settings>
        <SwitchSetting
          id="preference-theme"
          name="Dark mode"
          hint="Deep ink instead of warm paper."
          checked={theme === "dark"}
          onSwitch={(dark) => {
            const chosen = dark ? "dark" : "light";
            choose(chosen);
            change({ theme: chosen }, "Theme updated");
          }}
        />
        {slider("brightness", "Brightness", 200)}
        {slider("contrast", "Contrast", 200)}
        {slider("sepia", "Sepia", 100)}
        {slider("grayscale", "Grayscale", 100)}
      </Settings>
      {!locked && (
        <div className={css.foot}>
          <Button variant="quiet" size="compact" onClick={reset}>
            Back to defaults
          </Button>
          <p className="hint">
            Can’t see the page any more? <kbd>Alt</kbd> <kbd>Shift</kbd> <kbd>0</kbd> puts all four back, on every page.
          </p>
        </div>
      )}
    </Block>
  );
}

function Defaults({ preferences, change }: PartProps) {
  const locked = !useCan()("custom_defaults");
  return (
    <Block title="Defaults">
      <Settings>
        <Setting id="preference-view" name="Statistics by" hint="What the genre chart opens with." locked={locked}>
          <Select
            id="preference-view"
            options={optionsOf(METRIC_WORDS, ["words", "books"])}
            value={preferences.defaultStatsView}
            onChoose={(defaultStatsView) => change({ defaultStatsView })}
            disabled={locked}
          />
        </Setting>
        <Setting id="preference-format" name="Format" hint="Filled in for each new book." locked={locked}>
          <Select
            id="preference-format"
            options={optionsOf(FORMAT_WORDS, valuesOf(FORMAT_WORDS))}
            value={preferences.defaultFormat}
            onChoose={(defaultFormat) => change({ defaultFormat })}
            disabled={locked}
          />
        </Setting>
        <SwitchSetting
          id="preference-reread"
          name="Detect rereads"
          hint="Ticks the reread box when a title and author are already on the shelf."
          checked={preferences.autoDetectReread}
          onSwitch={(autoDetectReread) => change({ autoDetectReread })}
          locked={locked}
        />
        <Setting id="preference-zone" name="Time zone" hint="Decides when today begins, and the year.">
          <Select
            id="preference-zone"
            options={timeZones(preferences.timezone)}
            value={preferences.timezone}
            onChoose={(timezone) => change({ timezone })}
          />
        </Setting>
      </Settings>
    </Block>
  );
}

/** Every time zone that the browser knows, UTC, and the current one, which another browser version may have named. */
function timeZones(present: string) {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", present]);
  return [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
}

/** The switch for sharing with the team; only for members of a team. */
function Sharing() {
  const { data: team } = useTeam();
  if (!team) return null;
  return (
    <Block title="Team">
      <SharingSetting team={team.name} />
    </Block>
  );
}

function Beta({ preferences, change }: PartProps) {
  const locked = !useCan()("beta_features");
  return (
    <Block title="Beta">
      <Settings>
        <SwitchSetting
          id="preference-beta"
          name="Beta features"
          hint="Try things before they are finished. Nothing is beta at the moment."
          checked={preferences.betaFeaturesEnabled}
          onSwitch={(betaFeaturesEnabled) => change({ betaFeaturesEnabled })}
          locked={locked}
        />
      </Settings>
    </Block>
  );
}
