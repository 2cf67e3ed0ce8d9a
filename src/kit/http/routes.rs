//! Mounts handlers in the router, and their documentation where the API description is made.

/// The handlers of one path, in the form of [`OpenApiRouter::routes`](utoipa_axum::router::OpenApiRouter::routes): path and
/// methods come from `#[utoipa::path]`. The rest of that attribute is used only by the test that makes the API description.
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
