//! Every word that stands under `code` in the body of an error.
use std::borrow::Cow;

use axum::http::StatusCode;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Defines [`ErrorCode`] from one table: the status, the codes that answer with it, and the word and the meaning of each.
macro_rules! error_codes {
    ($($status:ident { $($(#[doc = $meaning:literal])+ $code:ident = $word:literal,)+ })+) => {
        /// What went wrong, as a word for programs. Each code has one status.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($($(#[doc = $meaning])+ $code,)+)+
        }

        impl ErrorCode {
            /// All codes, by status.
            pub const ALL: &[Self] = &[$($(Self::$code,)+)+];

            /// The snake_case word.
            pub const fn word(self) -> &'static str {
                match self {
                    $($(Self::$code => $word,)+)+
                }
            }

            /// The status that an error of this code answers with.
            pub const fn status(self) -> StatusCode {
                match self {
                    $($(Self::$code)|+ => StatusCode::$status,)+
                }
            }

            /// What the code means, for the descriptions of the API.
            pub fn meaning(self) -> &'static str {
                match self {
                    $($(Self::$code => concat!($($meaning),+).trim_ascii(),)+)+
                }
            }
        }
    };
}

error_codes! {
    BAD_REQUEST {
        /// The request can't be read.
        Unreadable = "unreadable",
    }
    UNAUTHORIZED {
        /// The call needs a session or an API token.
        NotSignedIn = "not_signed_in",
        /// The address or the password is wrong; the answer does not say which.
        WrongCredentials = "wrong_credentials",
    }
    FORBIDDEN {
        /// The library holds as many books as the plan allows; `limit` says how many.
        BookLimitReached = "book_limit_reached",
        /// The call needs a sign-in or a confirmation of the last ten minutes.
        ConfirmYourself = "confirm_yourself",
        /// The request came from another site's page.
        CrossSite = "cross_site",
        /// The trusted proxy names a person that this server does not sign in; the sentence says why.
        HeaderRefused = "header_refused",
        /// Only operators of the server can do this.
        OperatorsOnly = "operators_only",
        /// The invitation is for another address; `email` shows it masked.
        OtherAddress = "other_address",
        /// The server accepts no passwords: sign-in providers sign people in.
        PasswordLoginOff = "password_login_off",
        /// The plan does not include this.
        PremiumRequired = "premium_required",
        /// The API token can only read.
        ReadOnlyToken = "read_only_token",
        /// An API token can't do this; a session can.
        SessionRequired = "session_required",
        /// The server takes no new accounts, or only those with an invitation.
        SignupClosed = "signup_closed",
        /// The role in the team does not allow this.
        TeamRole = "team_role",
        /// The password that confirms the call is wrong.
        WrongPassword = "wrong_password",
    }
    NOT_FOUND {
        /// There is nothing at this address, or it is someone else's.
        NotFound = "not_found",
    }
    METHOD_NOT_ALLOWED {
        /// The address exists and does not support the method.
        MethodNotAllowed = "method_not_allowed",
    }
    REQUEST_TIMEOUT {
        /// The request took too long to arrive.
        TimedOut = "timed_out",
    }
    CONFLICT {
        /// Someone with this address is in the team already.
        AlreadyMember = "already_member",
        /// A read of the book is in progress already; `bookId` is its id.
        AlreadyReading = "already_reading",
        /// The caller is signed in already.
        AlreadySignedIn = "already_signed_in",
        /// The account has this plan already.
        AlreadySubscribed = "already_subscribed",
        /// The import or the operation was undone before.
        AlreadyUndone = "already_undone",
        /// The covers of the account take as much room as they may.
        CoverQuota = "cover_quota",
        /// Another account has this address.
        EmailTaken = "email_taken",
        /// The read is finished, and its log does not take the day.
        Finished = "finished",
        /// The account is in a team, which rules this out.
        InATeam = "in_a_team",
        /// The name at the trusted proxy is connected to another account.
        LinkedElsewhere = "linked_elsewhere",
        /// The account is the server's last operator.
        LastOperator = "last_operator",
        /// Nothing else would open the account.
        LastWayIn = "last_way_in",
        /// The library was changed again and again while a change of many books was prepared; nothing was done.
        LibraryChanged = "library_changed",
        /// The library has used up its numbers for books or items.
        LibraryFull = "library_full",
        /// The library has no file of this tracker that a newer one could be compared with.
        NeverImported = "never_imported",
        /// The account has paid for nothing yet.
        NoCustomer = "no_customer",
        /// The account has no password.
        NoPassword = "no_password",
        /// The team has no free seat.
        NoSeats = "no_seats",
        /// There is no subscription to cancel.
        NoSubscription = "no_subscription",
        /// The session is of another account than the one that `Shelfwise-Account` names.
        OtherAccount = "other_account",
        /// Someone else pays for the team.
        OtherPayer = "other_payer",
        /// A team's owner can't leave it, be removed or lose the role without a new owner.
        OwnerStays = "owner_stays",
        /// The payment provider refused the payment.
        PaymentFailed = "payment_failed",
        /// The account stores as much as it may; `what` is `books`, `list` or `texts`, and `limit` says how much.
        QuotaReached = "quota_reached",
        /// More seats are taken than would be left.
        SeatsInUse = "seats_in_use",
        /// The config file, the environment or a flag sets this; `setting` names it.
        SettingFixed = "setting_fixed",
        /// The team has other members, so its owner's account can't be deleted.
        TeamHasMembers = "team_has_members",
        /// No one pays for the team.
        TeamUnpaid = "team_unpaid",
        /// The team has as many challenges as it may.
        TooManyChallenges = "too_many_challenges",
        /// The log of the read has as many days as it may.
        TooManyDays = "too_many_days",
        /// The account has as many devices, or as many documents of devices, as it may.
        TooManyDevices = "too_many_devices",
        /// The account has as many goals as it may.
        TooManyGoals = "too_many_goals",
        /// The team has invited as many people within a day as it may.
        TooManyInvitations = "too_many_invitations",
        /// The book has as many reads as it may.
        TooManyReads = "too_many_reads",
        /// The account has as many secret links as it may.
        TooManyShares = "too_many_shares",
        /// The account has as many API tokens as it may.
        TooManyTokens = "too_many_tokens",
        /// The account has as many views as it may.
        TooManyViews = "too_many_views",
        /// The account has a view of that name.
        ViewExists = "view_exists",
    }
    GONE {
        /// The invitation was used, declined, taken back or has expired. `team` and `inviter` stand beside it, and the masked
        /// `email` of one that has expired.
        InvitationOver = "invitation_over",
        /// The secret link has ended.
        ShareEnded = "share_ended",
    }
    PRECONDITION_FAILED {
        /// The book was changed since the tag in `If-Match`; `book` is the current one, and `ETag` its tag.
        ChangedElsewhere = "changed_elsewhere",
    }
    PAYLOAD_TOO_LARGE {
        /// The body, or a file in it, is too large.
        TooLarge = "too_large",
    }
    UNSUPPORTED_MEDIA_TYPE {
        /// The content type is not accepted here.
        UnsupportedType = "unsupported_type",
    }
    MISDIRECTED_REQUEST {
        /// The request came by a public host name that is not this server's.
        Misdirected = "misdirected",
    }
    UNPROCESSABLE_ENTITY {
        /// The `Idempotency-Key` was used for another call.
        IdempotencyKeyReused = "idempotency_key_reused",
        /// Values are not valid; `fields` has a sentence for each.
        Invalid = "invalid",
        /// The columns of the imported file don't say what they are.
        UnknownColumns = "unknown_columns",
        /// The imported file is empty, a workbook or not text.
        UnreadableFile = "unreadable_file",
    }
    TOO_MANY_REQUESTS {
        /// The account asks catalogues faster than once a second, or has asked 500 times today; with `Retry-After`.
        LookupTooOften = "lookup_too_often",
        /// More calls are running at once than an account (8), its exports, imports and changes of many books (2) or an address
        /// without a session (16) may have; with `Retry-After`.
        TooManyAtOnce = "too_many_at_once",
        /// Too many guesses, or too many sign-ups from one address; with `Retry-After` in whole seconds.
        TooManyAttempts = "too_many_attempts",
    }
    INTERNAL_SERVER_ERROR {
        /// A fault of the program; its log has the cause under `requestId`.
        Internal = "internal",
    }
    SERVICE_UNAVAILABLE {
        /// This server takes no payments.
        BillingNotConfigured = "billing_not_configured",
        /// The payment provider is down, slow or answers with an error.
        BillingUnavailable = "billing_unavailable",
        /// The server has too much to do, or the call took too long; with `Retry-After`.
        Busy = "busy",
        /// This server asks no catalogue.
        LookupNotConfigured = "lookup_not_configured",
        /// No catalogue answered; `sources` says what each did.
        LookupUnavailable = "lookup_unavailable",
        /// This server sends no e-mail.
        MailNotConfigured = "mail_not_configured",
        /// The mail server can't be reached, or refused the e-mail.
        MailUnavailable = "mail_unavailable",
        /// The media server can't be reached, or does not answer as Audiobookshelf does.
        SourceUnavailable = "source_unavailable",
        /// The server is stopping; nothing was written.
        Stopping = "stopping",
        /// The database can't be reached; nothing was written.
        StorageUnavailable = "storage_unavailable",
    }
    INSUFFICIENT_STORAGE {
        /// The disk is full; nothing was written.
        DiskFull = "disk_full",
    }
}

impl PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        let meanings = Self::ALL.iter().map(|code| format!("- {}", code.described()));
        let description = format!(
            "A snake_case word for a program; each has one status.\n\n{}",
            meanings.collect::<Vec<_>>().join("\n")
        );
        let words = Self::ALL.iter().map(|code| code.word());
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words));
        schema.description(Some(description)).into()
    }
}

impl ToSchema for ErrorCode {
    fn name() -> Cow<'static, str> {
        "ErrorCode".into()
    }
}

impl ErrorCode {
    /// The word, its status and its meaning as one line of Markdown.
    fn described(self) -> String {
        format!("`{}` ({}): {}", self.word(), self.status().as_u16(), self.meaning())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_code_is_a_snake_case_word_of_its_own() {
        let words: BTreeSet<_> = ErrorCode::ALL.iter().map(|code| code.word()).collect();
        assert_eq!(words.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            let name = format!("{code:?}");
            let snake = name.char_indices().map(|(at, c)| match (at, c.is_uppercase()) {
                (0, _) | (_, false) => c.to_lowercase().to_string(),
                (_, true) => format!("_{}", c.to_lowercase()),
            });
            assert_eq!(code.word(), snake.collect::<String>());
            assert!(code.status().is_client_error() || code.status().is_server_error(), "{name}");
        }
    }

    #[test]
    fn the_table_of_codes_in_docs_api_is_what_the_code_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/api.md");
        let page = std::fs::read_to_string(path).unwrap();
        let table = page.lines().skip_while(|line| !line.starts_with("| status | code | meaning |"));
        let said: Vec<_> = table.skip(2).take_while(|line| line.starts_with('|')).collect();
        let rows = ErrorCode::ALL.iter();
        let rows = rows.map(|code| format!("| {} | `{}` | {} |", code.status().as_u16(), code.word(), code.meaning()));
        let rows: Vec<_> = rows.collect();
        assert_eq!(said, rows, "docs/api.md needs these rows:\n{}", rows.join("\n"));
    }
}
