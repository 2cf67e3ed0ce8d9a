//! Mounting calls: their handlers in the program, and what they say of themselves where the description is made.

/// Handlers of one path, as [`OpenApiRouter::routes`](utoipa_axum::router::OpenApiRouter::routes) takes them: path and methods are
/// those that `#[utoipa::path]` names. The rest of what stands there is for the test that makes the description.
#[cfg(not(test))]
macro_rules! routes {
    ($($handler:ident),+) => {
        pastey::paste! {{
            use utoipa::Path as _;
            use utoipa_axum::PathItemExt as _;
            let mut paths = utoipa::openapi::path::Paths::new();
            let router = axum::routing::MethodRouter::new();
            $(
                paths.paths.entry([<__path_ $handler>]::path()).or_default();
                let router = [<__path_ $handler>]::methods()
                    .iter()
                    .fold(router, |router, method| router.on(method.to_method_filter(), $handler));
            )+
            (Vec::new(), paths, router)
        }}
    };
}

#[cfg(not(test))]
pub(crate) use routes;
#[cfg(test)]
pub(crate) use utoipa_axum::routes;
